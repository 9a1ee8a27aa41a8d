import {isFieldCovered} from './is-field-covered.ts'

/**
 * Takes files that are dropped anywhere on the page, for which the browser would leave it, until `listening` is
 * aborted. Below a modal dialog none are taken; what has an area for files of its own has prevented the default.
 * `onDrop` gets the entries of the files too: they tell folders.
 */
export function listenToDrops(
  {signal}: AbortController,
  onDrag: (isOver: boolean) => void,
  onDrop: (files: FileList, entries: (FileSystemEntry | null)[]) => void,
) {
  const hear = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent, transfer: DataTransfer) => void) =>
    addEventListener(
      type,
      (event) => {
        const transfer = event.dataTransfer
        if (transfer?.types.includes('Files') !== true) return
        if (event.defaultPrevented) return onDrag(false)
        if (type !== 'dragleave') event.preventDefault()
        if (isFieldCovered()) transfer.dropEffect = 'none'
        else act(event, transfer)
      },
      {signal},
    )
  hear('dragover', () => onDrag(true))
  hear('dragleave', (event) => event.relatedTarget === null && onDrag(false))
  hear('drop', (_, {files, items}) => {
    onDrag(false)
    onDrop(
      files,
      [...items].map((item) => item.webkitGetAsEntry()),
    )
  })
}
