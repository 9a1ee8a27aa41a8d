import {vi} from 'vitest'
import type {AnyField, AnyForm} from '#features/media/any-tool.ts'
import {FieldView, type FieldViewProps} from '#features/media/fields/field-view.tsx'
import type {FileItem, FilesFieldProps} from '#features/media/fields/files-field.types.ts'
import type {Media} from '#features/media/media.context.ts'
import {renderView, type TestLocale} from '#tests/ui/render.tsx'
import {InMedia} from './media-fixture.tsx'

export const words: Record<string, string> = {foo: 'Foo', help: 'Some help', seconds: '{value} s', standard: 'Standard'}

export function showField(
  shown: AnyField,
  form: AnyForm = {},
  given: Partial<FieldViewProps> & {
    items?: FileItem[]
    locale?: TestLocale
    onPick?: (() => void) | undefined
    media?: Media
  } = {},
) {
  const {items = [], locale, onPick, media, ...rest} = given
  const files: Pick<FilesFieldProps, 'items' | 'onAdd' | 'onRemove' | 'onRetry' | 'onMove' | 'onPick'> = {
    items,
    onAdd: vi.fn(),
    onRemove: vi.fn(),
    onRetry: vi.fn(),
    onMove: vi.fn(),
    onPick,
  }
  const props = {
    id: 'id',
    field: shown,
    form,
    defaults: {},
    toolText: (id: string, values?: Record<string, unknown>) =>
      (words[id] ?? id).replace('{value}', String(values?.value)),
    error: undefined,
    note: undefined,
    onChange: vi.fn(),
    files: () => files,
    ...rest,
  } satisfies FieldViewProps
  const field = <FieldView {...props} />
  const view = renderView(
    media === undefined ? field : <InMedia media={media}>{field}</InMedia>,
    locale === undefined ? {} : {locale},
  )
  return {props, files, view}
}
