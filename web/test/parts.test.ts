import { describe, expect, it } from "vitest";
import { takesKey } from "../src/parts";

/** An input of a type, or nothing that takes keys; a stand-in for an element of the page. */
const input = (type: string | null) => ({
  closest: (selector: string) => {
    const fits = selector.split(/,\s*/).some((one) => {
      const [, tag, excluded] = /^(\w*)((?::not\(\[type=\w+\]\))*)/.exec(one) ?? [];
      if (one.startsWith("[type=")) return one === `[type=${type}]`;
      return type !== null && tag === "input" && !excluded?.includes(`=${type}]`);
    });
    return fits ? {} : null;
  },
}) as unknown as Element;

describe("keys of the page", () => {
  it("are left to a field, and to a slider and choices only where they use them", () => {
    expect(takesKey(input(null), "ArrowLeft")).toBe(false);
    expect(takesKey(input("text"), "u")).toBe(true);
    expect(takesKey(input("number"), ".")).toBe(true);
    expect([".", " ", "g", "Home"].map((key) => takesKey(input("radio"), key))).toEqual([false, false, false, false]);
    expect(takesKey(input("radio"), "ArrowRight")).toBe(true);
    expect([".", " ", "1"].map((key) => takesKey(input("range"), key))).toEqual([false, false, false]);
    expect(["Home", "End", "ArrowLeft"].map((key) => takesKey(input("range"), key))).toEqual([true, true, true]);
  });
});
