import { expect, it } from "vitest";
import { plain } from "../src/format";

it("leaves the column of a spec out of a sentence for players", () => {
  expect(plain("size of go must be from 2 to 25, not 99 (column 4 of the spec)")).toBe("size of go must be from 2 to 25, not 99");
});
