/** Endings of files that a model does not get as text: images, documents, sound and video. */
const otherEndings: ReadonlySet<string> = new Set(
  (
    'jpg jpeg png gif bmp webp tiff tif ico heic heif avif pdf rtf epub docx xlsx pptx doc xls ppt odt ods odp ' +
    'mp3 wav ogg flac aac m4a mp4 m4v mov webm'
  ).split(' '),
)

/** Whether a model gets a file of this name as text, as our server decides for an upload (docs/decisions/0143). */
export const isTextName = (name: string): boolean =>
  !otherEndings.has(name.slice(name.lastIndexOf('.') + 1).toLowerCase())
