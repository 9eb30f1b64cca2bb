// Searches over the WebSocket: one connection for the page, many searches, each known by an id.
//
// A search belongs to its connection. When the connection breaks, every running search ends with an
// error, and the next search connects again.
import { probe } from "./client";
import type { ClientMessage, Report, Search as Question, ServerMessage, State } from "./api";

export interface Handlers {
  /** All places of the server are taken; the search starts by itself. */
  queued?: () => void;
  started?: (agent: string) => void;
  snapshot?: (report: Report) => void;
  done: (report: Report, state: State | null, made_way: boolean) => void;
  failed: (message: string) => void;
}

export interface Search {
  /** Ends the search with its answer. */
  stop(): void;
  /** Ends the search; no handler is called any more. */
  cancel(): void;
}

interface Socket {
  send(text: string): void;
  readonly readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
}

const OPEN = 1;

export class Live {
  private socket: Socket | null = null;
  private waiting: string[] = [];
  private readonly running = new Map<string, Handlers>();
  private next = 1;

  constructor(private readonly connect: () => Socket, private readonly lost: () => void = () => undefined) {}

  search(question: Omit<Question, "id">, handlers: Handlers): Search {
    const id = String(this.next++);
    this.running.set(id, handlers);
    this.send({ type: "search", id, ...question });
    return {
      stop: () => this.running.has(id) && this.send({ type: "stop", id }),
      cancel: () => this.running.delete(id) && this.send({ type: "cancel", id }),
    };
  }

  private send(message: ClientMessage): void {
    const text = JSON.stringify(message);
    if (this.socket?.readyState === OPEN) this.socket.send(text);
    else {
      this.waiting.push(text);
      if (!this.socket) this.open();
    }
  }

  private open(): void {
    const socket = this.connect();
    this.socket = socket;
    socket.onopen = () => {
      for (const text of this.waiting.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => this.receive(JSON.parse(String(event.data)) as ServerMessage);
    socket.onclose = () => {
      this.socket = null;
      this.waiting = [];
      const ended = [...this.running.values()];
      this.running.clear();
      for (const handlers of ended) handlers.failed("The connection to the server broke. The search has ended.");
      this.lost();
    };
  }

  private receive(message: ServerMessage): void {
    const handlers = message.id === null ? undefined : this.running.get(message.id);
    if (!handlers || message.id === null) return;
    if (message.type === "queued") handlers.queued?.();
    if (message.type === "started") handlers.started?.(message.short);
    if (message.type === "snapshot") handlers.snapshot?.(message.report);
    if (message.type === "done" || message.type === "error") this.running.delete(message.id);
    if (message.type === "done") handlers.done(message.report, message.state, message.made_way);
    if (message.type === "error") handlers.failed(message.error.message);
  }
}

/** The page's connection. */
export const live = new Live(() => {
  const address = new URL("/api/v1/live", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return new WebSocket(address) as unknown as Socket;
}, probe);
