// Light or dark: the system's choice until the reader makes one.
const KEY = "tesuji.theme";

const stored = (): string | null => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
};

/** Puts the kept choice into force; `?theme=dark` in the address comes first. */
export function applyTheme(): void {
  const asked = new URLSearchParams(location.search).get("theme") ?? stored();
  if (asked === "dark" || asked === "light") document.documentElement.dataset["theme"] = asked;
}

export function toggleTheme(): void {
  const root = document.documentElement;
  const now = root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  root.dataset["theme"] = next;
  try {
    localStorage.setItem(KEY, next);
  } catch {
    return;
  }
}
