import { describe, expect, it } from "vitest";
import { prefix, stepsOf } from "../src/game/document";
import { branches, NO_NOTES, promoted, readNotes, shared, withComment, withLine, withoutLine } from "../src/game/notes";

describe("steps of a document", () => {
  it("are moves; a change of the turn belongs to the move after it", () => {
    expect(stepsOf("go(size=9,komi=6.5)~E5.=1.C3.pass")).toEqual(["E5", "=1.C3", "pass"]);
    expect(stepsOf("go~[C3,D4|E5|2].C5.=2")).toEqual(["[C3,D4|E5|2]", "C5", "=2"]);
    expect(stepsOf("go~=2.[C3||1].D4")).toEqual(["=2", "[C3||1]", "D4"]);
    expect(stepsOf("hex")).toEqual([]);
    expect(stepsOf('othello(position="a~b.c")~d3')).toEqual(["d3"]);
  });
  it("are what a document is cut by", () => {
    expect(prefix("go~E5.=1.C3.pass", 2)).toBe("go~E5.=1.C3");
    expect(prefix('othello(position="a~b")~d3', 0)).toBe('othello(position="a~b")');
  });
});

describe("notes", () => {
  const game = "g~a.b.c";
  it("keep a line once, and its longest form", () => {
    let notes = withLine(NO_NOTES, game, "g~a.x");
    notes = withLine(notes, game, "g~a.x.y");
    expect(notes.variations).toEqual(["g~a.x.y"]);
    expect(withLine(notes, game, "g~a.x")).toBe(notes);
    expect(withLine(notes, game, "g~a.b")).toBe(notes);
    expect(withLine(notes, game, "g~a.x.z").variations).toEqual(["g~a.x.y", "g~a.x.z"]);
  });
  it("say where a line leaves the game", () => {
    expect(shared("g~a.x.y", game)).toBe(1);
    const [one] = branches({ variations: ["g~a.=2.x.y"], comments: {} }, game);
    expect(one).toEqual({ document: "g~a.=2.x.y", from: 1, moves: [{ text: "x", document: "g~a.=2.x" }, { text: "y", document: "g~a.=2.x.y" }] });
    expect(branches({ variations: ["g~a.b"], comments: {} }, game)).toEqual([]);
  });
  it("forget a line with its comments, and nothing else", () => {
    let notes = { variations: ["g~a.x.y", "g~a.z"], comments: { g: "start", "g~a.x": "one", "g~a.z": "two", "g~a": "both" } };
    notes = withoutLine(notes, game, "g~a.x") as typeof notes;
    expect(notes).toEqual({ variations: ["g~a.z"], comments: { g: "start", "g~a.z": "two", "g~a": "both" } });
  });
  it("make a line the game, and the game a line", () => {
    const notes = { variations: ["g~a.x.y"], comments: { "g~a.b": "said" } };
    expect(promoted(notes, game, "g~a.x.y")).toEqual({ variations: [game], comments: { "g~a.b": "said" } });
    expect(promoted(NO_NOTES, game, "g~a.b.c.d")).toEqual(NO_NOTES);
  });
  it("take a comment, and drop an empty one", () => {
    const notes = withComment(NO_NOTES, game, "well");
    expect(notes.comments).toEqual({ [game]: "well" });
    expect(withComment(notes, game, " ").comments).toEqual({});
  });
  it.each([null, 3, "x", { variations: 1, comments: 2 }, { variations: [1], comments: { a: 1 } }])("read nothing from %j", (found) => {
    expect(readNotes(found)).toEqual(NO_NOTES);
  });
});
