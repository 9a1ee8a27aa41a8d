import {assign, setup} from 'xstate'

/** A row of the list: its upper edge and its height in pixels, from the upper edge of the list's content. */
export type DraggedRow = {top: number; height: number}

/** `y`: of the pointer, in pixels from the upper edge of the list's content. */
export type QuestionDragEvent =
  | {type: 'row.lift'; key: string; from: number; rows: readonly DraggedRow[]; y: number}
  | {type: 'row.drag'; y: number}
  /** They are higher or lower than before. */
  | {type: 'rows.change'; rows: readonly DraggedRow[]}
  /** The view moves the question to where the row is. */
  | {type: 'row.drop'}
  /** Escape, a pointer that is taken away, or a list that changed meanwhile. */
  | {type: 'drag.cancel'}

/** `from`, `to`: positions of the row before the drag and now. `offset`: how far it is from where it was, in pixels. */
export type QuestionDrag = {
  key: string
  rows: readonly DraggedRow[]
  from: number
  to: number
  start: number
  offset: number
}

type Context = {drag: QuestionDrag | undefined}

const bottomOf = ({top, height}: DraggedRow) => top + height
const middleOf = ({top, height}: DraggedRow) => top + height / 2

/** The drag with the pointer at `y`. The row stays in the list, and passes another when its edge is past its middle. */
function followed(drag: QuestionDrag, y: number): QuestionDrag {
  const {rows, from, start} = drag
  const [row, first, last] = [rows[from], rows[0], rows.at(-1)]
  if (row === undefined || first === undefined || last === undefined) return drag
  const offset = Math.max(first.top - row.top, Math.min(y - start, bottomOf(last) - bottomOf(row)))
  const passedBelow = rows.filter((each, at) => at > from && bottomOf(row) + offset > middleOf(each))
  const passedAbove = rows.filter((each, at) => at < from && row.top + offset < middleOf(each))
  return {...drag, offset, to: from + passedBelow.length - passedAbove.length}
}

/** The drag over rows of other heights: the lifted one stays where it is on the screen. */
function remeasured(drag: QuestionDrag, rows: readonly DraggedRow[]): QuestionDrag {
  const {from, start, offset} = drag
  const [before, now] = [drag.rows[from], rows[from]]
  if (before === undefined || now === undefined) return drag
  return followed({...drag, rows, start: start + now.top - before.top}, start + offset)
}

/** How far the row at this position makes way, in pixels: by the height of the lifted one and the gap between two. */
export function shiftOf({rows, from, to, offset}: QuestionDrag, at: number): number {
  if (at === from) return offset
  const row = rows[from]
  const [one, next] = [rows[0], rows[1]]
  if (row === undefined || one === undefined || next === undefined) return 0
  const step = row.height + next.top - bottomOf(one)
  if (at > from && at <= to) return -step
  return at < from && at >= to ? step : 0
}

/**
 * A row of the waiting questions that is dragged to another position. Where it is dropped is sent to the list as a
 * press of the buttons is. Owned by the list of waiting questions, ends with it.
 */
export const questionDragMachine = setup({
  types: {context: {} as Context, events: {} as QuestionDragEvent},
  actions: {
    lift: assign((_, {key, from, rows, y}: Omit<Extract<QuestionDragEvent, {type: 'row.lift'}>, 'type'>) => ({
      drag: {key, rows, from, to: from, start: y, offset: 0},
    })),
    follow: assign(({context: {drag}}, {y}: {y: number}) => ({drag: drag && followed(drag, y)})),
    measure: assign(({context: {drag}}, {rows}: {rows: readonly DraggedRow[]}) => ({
      drag: drag && remeasured(drag, rows),
    })),
    clear: assign({drag: undefined}),
  },
}).createMachine({
  id: 'questionDrag',
  context: {drag: undefined},
  initial: 'resting',
  states: {
    resting: {
      on: {'row.lift': {target: 'lifted', actions: [{type: 'lift', params: ({event}) => event}]}},
    },
    lifted: {
      exit: ['clear'],
      on: {
        'row.drag': {actions: [{type: 'follow', params: ({event}) => event}]},
        'rows.change': {actions: [{type: 'measure', params: ({event}) => event}]},
        'row.drop': {target: 'resting'},
        'drag.cancel': {target: 'resting'},
      },
    },
  },
})
