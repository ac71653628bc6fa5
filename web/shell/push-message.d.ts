// What the server sends to the service worker (crates/server/askback-channels/src/webpush/payload.rs), and what the
// worker uses of its own scope, which the types of pages do not have.

export interface PushMessage {
  tag: string;
  title: string;
  body?: string;
  lang?: string;
  url: string;
  silent?: boolean;
  actions?: { title: string; url: string }[];
  /** What is shown if the server cannot be reached. */
  failed?: string;
  /** Tags of notifications to take away. */
  close?: string[];
}

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
  data: { json(): PushMessage } | null;
  notification: Notification;
  action: string;
}

interface WorkerClient {
  url: string;
  navigate(url: string): Promise<unknown>;
  focus(): Promise<unknown>;
}

export interface PushWorker {
  registration: {
    showNotification(
      title: string,
      options: NotificationOptions & {
        renotify?: boolean;
        actions?: { action: string; title: string }[];
      },
    ): Promise<void>;
    getNotifications(filter: { tag: string }): Promise<Notification[]>;
  };
  clients: {
    claim(): Promise<void>;
    matchAll(filter: { type: 'window'; includeUncontrolled: true }): Promise<WorkerClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}
