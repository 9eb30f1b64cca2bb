// Why does this lose? The answer of a proof to every reply, or its certificate in words.
import type { ProofBook, ProofReply, ProofView } from "../../api";
import { sideOf, SideSign } from "../../board/pieces";
import { bytes, count, whole } from "../../format";
import { proofs } from "./requests";
import { question, says } from "./words";

/** Replies that are shown before the others are asked for. */
const SHOWN = 8;

export function Why({ book, view, claim, onClaim, onGo }: { book: ProofBook; view: ProofView; claim: number; onClaim: (claim: number) => void; onGo: (moves: string[]) => void }) {
  const { sides } = view.state;
  const current = book.claims[claim];
  if (!current) return null;
  const path = view.path.map((ply) => ply.move);
  const theirs = sideOf(sides, view.claimant === "first" ? "second" : "first").name;
  const mine = sideOf(sides, view.claimant).name;
  // Replies that only the certificate answers, without a move of its own, are one sentence.
  const told = view.replies.filter((reply) => reply.answer !== null || reply.size > 0);
  const others = view.replies.length - told.length;
  const [first, rest] = [told.slice(0, SHOWN), told.slice(SHOWN)];
  return (
    <section class="card why" aria-label="Why" data-kind={view.kind}>
      <h2>{question(current, sides)}</h2>
      {book.claims.length > 1 && (
        <div class="row wrap">{book.claims.map((one, i) => <button class="chip" aria-pressed={i === claim} onClick={() => onClaim(i)}>{one.text}</button>)}</div>
      )}
      <div class="because" role="status">{says(view).map((sentence) => <p>{sentence}</p>)}</div>
      {told.length > 0 && (
        <div class="replies">
          <p class="caption">Try a move for {theirs}; {mine}’s answer follows</p>
          <Replies replies={first} view={view} onGo={(reply) => onGo([...path, reply.reply.move])} />
          {rest.length > 0 && (
            <details>
              <summary>{count(rest.length, "more move")}</summary>
              <Replies replies={rest} view={view} onGo={(reply) => onGo([...path, reply.reply.move])} />
            </details>
          )}
        </div>
      )}
      {others > 0 && <p class="muted">{told.length > 0 ? "Anywhere else" : "Wherever " + theirs + " plays"}: the certificate answers it.</p>}
      {view.answer && view.state.turn === view.claimant && (
        <div class="row"><button class="button primary" onClick={() => onGo([...path, view.answer?.move ?? ""])}>Play {view.answer.move}</button></div>
      )}
      <p class="caption foot">
        {view.reason && <><b>{view.reason.kind}</b>, </>}
        {book.agent ? `found by ${book.agent.split("(")[0]} with ${whole(book.report?.iterations ?? 0)} expansions. ` : "from a file. "}
        Checked by the rules: holds. {count(current.positions, "position")}, {count(current.certificates, "certificate")}, {current.bytes < 10_000 ? count(current.bytes, "byte") : bytes(current.bytes)}.
        {book.has_file && book.id && <> <a class="link" href={proofs.file(book.id)} download="position.proof">Save the proof</a></>}
      </p>
    </section>
  );
}

function Replies({ replies, view, onGo }: { replies: ProofReply[]; view: ProofView; onGo: (reply: ProofReply) => void }) {
  const { sides } = view.state;
  return (
    <ul class="reply-list">
      {replies.map((one) => (
        <li>
          <button class="reply" data-reply={one.reply.move} onClick={() => onGo(one)} title={one.reason ?? `${count(one.size, "position")}`}>
            <SideSign side={sideOf(sides, one.reply.player)} />{one.reply.move}
            {one.answer && <><span class="muted" aria-label="is answered by"> → </span><SideSign side={sideOf(sides, one.answer.player)} />{one.answer.move}</>}
          </button>
        </li>
      ))}
    </ul>
  );
}
