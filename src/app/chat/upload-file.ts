import type {FilesApi} from '#api/files.ts'
import type {SendFile} from '#features/chat/attachment.ts'

/** One upload as a promise; aborting cancels it. */
export const uploadFile =
  (openFiles: () => Promise<FilesApi>): SendFile =>
  async (file, {onProgress, signal}) => {
    const {upload$} = await openFiles()
    signal.throwIfAborted()
    return await new Promise((resolve, reject) => {
      const upload = upload$(file).subscribe({
        next: (event) => {
          if (event.type === 'upload.progressed') onProgress(event.percent / 100)
          else resolve({url: event.file.file_url})
        },
        error: reject,
      })
      signal.addEventListener('abort', () => {
        upload.unsubscribe()
        reject(new DOMException('The upload was taken back.', 'AbortError'))
      })
    })
  }
