/* Messages between a browser's pages and their service worker. Types alone: the worker is a file without imports. */

/** Told while no page of this origin is visible. */
export type BackgroundNotice = {
  /** One notification for each, over all tabs. */
  tag: string
  title: string
  body: string
  /** The page that a click opens. */
  href: string
}

export type WorkerRequest =
  /** Keep what this language needs without a network. */
  {type: 'keep'; locale: string} | {type: 'notify'; notice: BackgroundNotice}

export type WorkerFact =
  /** The script that a page opened now would get. */
  | {type: 'build'; entry: string}
  /** The user chose a notification. */
  | {type: 'open'; href: string}
