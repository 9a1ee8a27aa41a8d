/** Network and visibility of the page as it starts. */
export type EnvironmentInput = {isOnline: boolean; isVisible: boolean}

/** Facts of the browser. The environment emits each one that changes something; `page.leaving` always. */
export type EnvironmentEvent =
  | {type: 'connection.lost'}
  | {type: 'connection.restored'}
  | {type: 'page.hidden'}
  | {type: 'page.shown'}
  /** The page closes or goes to the browser's history: the last moment to save. A hidden page has not left. */
  | {type: 'page.leaving'}
