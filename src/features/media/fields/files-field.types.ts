import type {Medium} from '#contract/media/media-tool.ts'
import type {FieldProps} from './field-props.ts'

/** A file of a field: on the server, on its way, or refused. */
export type FileItem = {
  /** Id of its upload; the address of a file that was there before. */
  id: string
  name: string
  medium: Medium
  /** Source of an `img` or `video`, and of nothing else: the local file, else the one on the server. */
  previewUrl: string | undefined
} & ({state: 'done' | 'waiting'} | {state: 'running'; percent: number} | {state: 'failed' | 'refused'; problem: string})

export type FilesFieldProps = FieldProps<'files'> & {
  items: readonly FileItem[]
  onAdd: (files: readonly File[]) => void
  onRemove: (id: string) => void
  onRetry: (id: string) => void
  /** To another position among the items, counted from 0. */
  onMove: (id: string, position: number) => void
  /** Opens the choice among own results; absent where there are none of the kind. */
  onPick: (() => void) | undefined
}
