// The comment on the position on the board, kept as it is written.
import * as actions from "../game/table";
import { MOST_COMMENTS } from "../game/notes";
import type { Table } from "../game/table";
import { tell } from "../parts";

export function CommentBox({ table }: { table: Table }) {
  const { shown, notes } = table;
  if (!shown) return null;
  return (
    <label class="comment">
      <span class="unseen">Comment on this position</span>
      <textarea rows={1} placeholder="Comment on this position" data-field="comment" value={notes.comments[shown.document] ?? ""}
        onInput={(event) => { if (!actions.comment(shown.document, event.currentTarget.value)) tell(`A game keeps ${MOST_COMMENTS} comments, and no more.`, false); }} />
    </label>
  );
}
