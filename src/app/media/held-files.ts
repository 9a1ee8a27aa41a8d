import type {ChosenFile} from '#machines/upload/upload.types.ts'

/** The bytes of chosen files, which do not belong into a chart: held under an id until their form goes. */
export function createHeldFiles(createId: () => string) {
  const files = new Map<string, File>()
  const previews = new Map<string, string>()
  const release = (id: string) => {
    const preview = previews.get(id)
    if (preview !== undefined) URL.revokeObjectURL(preview)
    previews.delete(id)
    files.delete(id)
  }
  return {
    hold(file: File): ChosenFile {
      const id = createId()
      files.set(id, file)
      return {id, name: file.name, type: file.type, size: file.size}
    },
    get: (id: string) => files.get(id),
    /** A local address of the file; only ever the source of an `img`, `video` or `audio`. */
    previewOf(id: string): string | undefined {
      const file = files.get(id)
      if (file === undefined) return undefined
      const previewUrl = previews.get(id) ?? URL.createObjectURL(file)
      previews.set(id, previewUrl)
      return previewUrl
    },
    release,
    clear() {
      for (const id of [...files.keys()]) release(id)
    },
  }
}
export type HeldFiles = ReturnType<typeof createHeldFiles>
