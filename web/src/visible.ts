// Whether the page is seen. A page that is not does not make the server work.
import { useEffect, useState } from "preact/hooks";

export function useVisible(): boolean {
  const [seen, set] = useState(!document.hidden);
  useEffect(() => {
    const look = (): void => set(!document.hidden);
    document.addEventListener("visibilitychange", look);
    look();
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  return seen;
}
