import type {MediaTool} from '#contract/media/media-tool.ts'
import {isSameData} from '#domain/same-data.ts'
import type {AnyChoice, AnyField, AnyForm} from './any-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'

/** Form values contained in a request, without defaults. */
export const formFromRequest = (
  tool: Pick<MediaTool, 'reuse'>,
  {request, type}: Pick<Card, 'request' | 'type'>,
): AnyForm => tool.reuse?.(request, type) ?? request

export const isBlank = (value: unknown) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** A setting that is not at its default; absent and empty are the same. */
export const isChanged = ({key}: AnyField, form: AnyForm, defaults: AnyForm): boolean =>
  !(isBlank(form[key]) && isBlank(defaults[key])) && !isSameData(form[key], defaults[key])

/** A bare number, such as how many images there are to be, says nothing without its label. */
export const isNumber = ({value, label, text}: AnyChoice): boolean =>
  label === undefined && typeof value === 'number' && (text === undefined || text === String(value))
