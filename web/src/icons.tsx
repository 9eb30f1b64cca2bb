// The icons, drawn on 20 × 20 with one stroke.
import type { ComponentChildren } from "preact";

const ICON: Record<string, ComponentChildren> = {
  play: <><circle cx="10" cy="10" r="6.5" /><path d="M10 3.5a6.5 6.5 0 0 1 0 13z" fill="currentColor" /></>,
  analyse: <path d="M3 15l4-5 3.5 3L17 5" />,
  proof: <><circle cx="10" cy="4.5" r="2" /><circle cx="5" cy="15" r="2" /><circle cx="15" cy="15" r="2" /><path d="M9 6.3L5.9 13.2M11 6.3l3.1 6.9" /></>,
  problems: <path d="M4 10.5l4 4 8-9" />,
  lab: <path d="M8 3v5l-4.5 7.5A1.2 1.2 0 0 0 4.6 17h10.8a1.2 1.2 0 0 0 1.1-1.5L12 8V3M6.8 3h6.4M6.3 12h7.4" />,
  home: <><rect x="3" y="3.5" width="14" height="3.6" rx=".8" /><rect x="3" y="8.4" width="8" height="3.6" rx=".8" /><rect x="3" y="13.3" width="4" height="3.6" rx=".8" /></>,
  keys: <><rect x="2.5" y="5.5" width="15" height="9" rx="1.5" /><path d="M6 11.5h8M5.5 8.5h.01M8.5 8.5h.01M11.5 8.5h.01M14.5 8.5h.01" /></>,
  theme: <><circle cx="10" cy="10" r="6" /><path d="M10 4a6 6 0 0 1 0 12z" fill="currentColor" /></>,
  back: <path d="M4 8h8a4 4 0 0 1 0 8H8M4 8l3.5-3.5M4 8l3.5 3.5" />,
  flag: <path d="M5 17V3.5M5 4h9l-2 3.2 2 3.3H5" />,
  share: <path d="M10 12.5V3.5M6.8 6.2L10 3l3.2 3.2M5 9.5v6.5h10V9.5" />,
  first: <path d="M5 4v12M15 4l-8 6 8 6z" />,
  previous: <path d="M13 4l-7 6 7 6" />,
  next: <path d="M7 4l7 6-7 6" />,
  last: <path d="M15 4v12M5 4l8 6-8 6z" />,
  stop: <rect x="5.5" y="5.5" width="9" height="9" rx="1" fill="currentColor" />,
  go: <path d="M6.5 4.5l9 5.5-9 5.5z" fill="currentColor" />,
  close: <path d="M5 5l10 10M15 5L5 15" />,
  plus: <path d="M10 4v12M4 10h12" />,
};

export function Icon({ name, size = 18 }: { name: keyof typeof ICON; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
      {ICON[name]}
    </svg>
  );
}

export function Brand() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="1" y="2" width="18" height="4.4" rx="1" fill="var(--ink)" />
      <rect x="1" y="7.8" width="10.4" height="4.4" rx="1" fill="var(--accent)" />
      <rect x="12.8" y="7.8" width="6.2" height="4.4" rx="1" fill="var(--line-2)" />
      <rect x="1" y="13.6" width="3" height="4.4" rx="1" fill="var(--line-2)" />
      <rect x="5.4" y="13.6" width="6" height="4.4" rx="1" fill="var(--accent)" />
    </svg>
  );
}
