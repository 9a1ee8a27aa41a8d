/** Messages between the page and the worker that reads its streams. `id` names a request of the page. */
export type PageMessage =
  | {id: number; type: 'open'; url: string; init: {method?: string; headers: Record<string, string>; body?: string}}
  /** Asks for the bytes that have arrived, or the next ones. `rest`: milliseconds from these to those after them. */
  | {id: number; type: 'take'; rest: number}
  | {id: number; type: 'cancel'}

export type WorkerMessage =
  /** The worker runs: what was sent to it before is being done. */
  | {type: 'ready'}
  | {id: number; type: 'opened'; status: number; headers: [string, string][]; hasBody: boolean}
  | {id: number; type: 'bytes'; bytes: Uint8Array}
  | {id: number; type: 'ended'}
  /** The request or its body failed; never an answer of the server. */
  | {id: number; type: 'failed'; message: string}
