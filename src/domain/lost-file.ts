type NamedFile = {name: string; size?: number | undefined}

/** The page that was to upload a file is gone, and its bytes with it: a draft names it by this instead of an address. */
const lostScheme = 'lost:'

export const lostUrlOf = ({name, size}: NamedFile) => `${lostScheme}${size ?? ''}/${name}`

export const isLostFile = ({url}: {url?: string | undefined}) => url?.startsWith(lostScheme) === true
