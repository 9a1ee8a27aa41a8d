import type {FilesFieldValue} from './any-tool.ts'
import type {Media} from './media.context.ts'

/** Chosen files into a field of the form; they are checked and sent from then on. */
export function addFiles(
  {files, actors, notify}: Pick<Media, 'files' | 'actors' | 'notify'>,
  {key: field, types, maxBytes, most}: FilesFieldValue,
  newFiles: readonly File[],
): void {
  files.prepare().then(
    () =>
      actors.generation.send({
        type: 'files.add',
        field,
        files: newFiles.map(files.hold),
        rule: {types, maxBytes},
        most,
      }),
    () => notify({kind: 'error', textId: 'common.mediaUploadFailed'}),
  )
}
