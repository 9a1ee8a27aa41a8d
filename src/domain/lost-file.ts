type NamedFile = {name: string; size?: number | undefined}

/** The page that was to upload a file is gone, and its bytes with it: a draft names it by this instead of an address. */
const lostScheme = 'lost:'

export const lostUrlOf = ({name, size}: NamedFile) => `${lostScheme}${size ?? ''}/${name}`

export const isLostFile = ({url}: {url?: string | undefined}) => url?.startsWith(lostScheme) === true

/** How a file that is not in this page stands in the other tabs of the browser. */
export type ElsewhereFact =
  /** One of them has it on its way. */
  | {type: 'elsewhere.running'}
  | {type: 'elsewhere.uploaded'; url: string}
  /** None of them does: it failed there, or the tab is closed. */
  | {type: 'elsewhere.gone'}
