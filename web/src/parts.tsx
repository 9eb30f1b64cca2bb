// Small parts that several rooms use: dialogs, segments, notices.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons";

/** A modal dialog; the browser keeps the focus inside and Escape closes it. */
export function Dialog({ title, wide, onClose, children, foot }: { title: string; wide?: boolean; onClose: () => void; children: ComponentChildren; foot?: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class={wide ? "wide" : ""} aria-label={title} onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current?.close()}>
      <div class="dialog-head">
        <h2>{title}</h2>
        <button class="icon-button" aria-label="Close" onClick={() => dialog.current?.close()}><Icon name="close" /></button>
      </div>
      <div class="dialog-body" {...(wide ? { tabIndex: 0, role: "group", "aria-label": title } : {})}>{children}</div>
      {foot && <div class="dialog-foot">{foot}</div>}
    </dialog>
  );
}

/** One of a few choices. */
export function Segments<T extends string>({ label, value, choices, class: kind = "", onChange }: {
  label: string; value: T; choices: readonly { value: T; label: string }[]; class?: string; onChange: (value: T) => void;
}) {
  return (
    <span class={`segments ${kind}`} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={label} value={choice.value} checked={choice.value === value} aria-label={choice.label} onChange={() => onChange(choice.value)} />
          {choice.label}
        </label>
      ))}
    </span>
  );
}

interface Act { label: string; run: () => void }
type Say = { text: string; calm: boolean; act: Act | undefined; key: number };
let say: (text: string, calm: boolean, act?: Act) => void = () => undefined;

/** Says a sentence at the bottom of the page for some seconds, longer where something can be done about it. */
export const tell = (text: string, calm = true, act?: Act): void => say(text, calm, act);

/** Runs an action of a person; what goes wrong is said. */
export function attempt(action: Promise<unknown>): void {
  action.catch((error: unknown) => tell(error instanceof Error ? error.message : String(error), false));
}

export function Toasts() {
  const [said, set] = useState<Say[]>([]);
  useEffect(() => {
    let key = 0;
    say = (text, calm, act) => {
      const one = { text, calm, act, key: ++key };
      set((all) => [...all.filter((old) => old.text !== text).slice(-2), one]);
      setTimeout(() => set((all) => all.filter((old) => old.key !== one.key)), act ? 12_000 : 5000);
    };
    return () => {
      say = () => undefined;
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {said.map(({ text, calm, act, key }) => (
        <div class={`notice ${calm ? "calm" : ""}`} key={key}>
          {text}
          {act && <button class="button" onClick={() => { set((all) => all.filter((old) => old.key !== key)); act.run(); }}>{act.label}</button>}
        </div>
      ))}
    </div>
  );
}

/** What a promise gives; `error` in a sentence when it fails. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): { value: T | null; error: string | null } {
  const [found, set] = useState<{ value: T | null; error: string | null }>({ value: null, error: null });
  useEffect(() => {
    let current = true;
    load().then(
      (value) => current && set({ value, error: null }),
      (error: unknown) => current && set((old) => ({ value: old.value, error: error instanceof Error ? error.message : String(error) })),
    );
    return () => {
      current = false;
    };
  }, keys);
  return found;
}

/** Whether what has the focus uses this key itself: a field takes all keys, a slider and a group of choices those that move them. */
export function takesKey(target: Pick<Element, "closest">, key: string): boolean {
  if (target.closest("input:not([type=radio]):not([type=range]), select, textarea, dialog")) return true;
  if (!target.closest("input")) return false;
  return key.startsWith("Arrow") || (!target.closest("[type=radio]") && /^(Home|End|PageUp|PageDown)$/.test(key));
}

/** Calls the handler for keys that no field wants. */
export function useKeys(handler: (event: KeyboardEvent) => void): void {
  const now = useRef(handler);
  now.current = handler;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target as Element;
      if (takesKey(target, event.key)) return;
      now.current(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
