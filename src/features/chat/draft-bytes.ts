import {createUuid} from '#api/random.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import type {NewFile} from '#machines/draft-files/draft-files.types.ts'

/**
 * The bytes of one unsent message's files, and the texts that some were pasted as: a chart keeps neither. No other tab
 * has a file of the same id.
 */
export function createDraftBytes() {
  const bytes = new Map<string, File>()
  const texts = new Map<string, string>()
  const hold = (file: File, pastedText?: string): NewFile => {
    const id = createUuid()
    bytes.set(id, file)
    if (pastedText !== undefined) texts.set(id, pastedText)
    const {name, type, size} = file
    const isImage = type.startsWith('image/') || isImageUrl(name)
    return {id, name, type, size, isImage, isPasted: pastedText !== undefined}
  }
  return {
    hold,
    /** Throws for a file whose bytes are not in this page. */
    fileOf: (id: string): File => {
      const file = bytes.get(id)
      if (file === undefined) throw new Error('The file is not there any more')
      return file
    },
    find: (id: string) => bytes.get(id),
    textOf: (id: string) => texts.get(id),
    /** Lets go of all other files. */
    keepOnly: (ids: readonly string[]) => {
      for (const id of bytes.keys()) if (!ids.includes(id) && bytes.delete(id)) texts.delete(id)
    },
  }
}
