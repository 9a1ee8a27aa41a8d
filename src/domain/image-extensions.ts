/** Extensions of image files (spec §5). */
export const imageExtensions = ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'webp', 'svg', 'tiff', 'ico', 'heic'] as const

const extensions: ReadonlySet<string> = new Set(imageExtensions)

/** Whether a file name or URL has an image extension in any case; query and fragment are ignored. */
export function isImageUrl(nameOrUrl: string) {
  const path = nameOrUrl.split(/[?#]/, 1)[0] ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  return dot >= 0 && extensions.has(name.slice(dot + 1).toLowerCase())
}
