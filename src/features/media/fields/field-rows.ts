import {choicesOf, type AnyField, type AnyForm} from '../any-tool.ts'

/** Fields that stand two to a line where two of them follow each other. */
const isHalf = (field: AnyField, form: AnyForm) =>
  field.kind === 'select' ||
  field.kind === 'number' ||
  (field.kind === 'files' && field.most === 1 && field.medium !== 'video') ||
  (field.kind === 'segmented' && choicesOf(field, form).length <= 2)

/** The lines of a form: one field or two each. */
export function fieldRows(fields: readonly AnyField[], form: AnyForm): AnyField[][] {
  const rows: AnyField[][] = []
  for (const field of fields) {
    const last = rows.at(-1)
    const [first] = last ?? []
    if (last?.length === 1 && first !== undefined && isHalf(first, form) && isHalf(field, form)) last.push(field)
    else rows.push([field])
  }
  return rows
}
