import {useActor} from '@xstate/react'
import {useEffect, useEffectEvent, useRef, type CSSProperties, type PointerEvent, type RefObject} from 'react'
import {flushSync} from 'react-dom'
import {selectItems, type FollowUpsActor} from '#machines/follow-ups/follow-ups.machine.ts'
import {questionDragMachine, shiftOf} from '#machines/question-drag/question-drag.machine.ts'

/** So close to an edge of the list, in pixels, a lifted row scrolls it, at most by so many pixels a frame. */
const edge = 32
const fastest = 10

const rowsOf = (list: HTMLElement) =>
  [...list.children].flatMap((row) =>
    row instanceof HTMLElement ? [{top: row.offsetTop, height: row.offsetHeight}] : [],
  )

/** From the upper edge of the list's content. */
const heightIn = (list: HTMLElement, clientY: number) => clientY - list.getBoundingClientRect().top + list.scrollTop

/** Scrolls the list if the pointer is at its edge. */
function scrollAt(list: HTMLElement, clientY: number): void {
  const {top, bottom} = list.getBoundingClientRect()
  const [above, below] = [edge - (clientY - top), edge - (bottom - clientY)]
  const depth = above > 0 ? -above : below > 0 ? below : 0
  list.scrollTop += Math.max(-fastest, Math.min(depth / 3, fastest))
}

/** The row goes from where the pointer left it to its position. */
function settle(row: Element | undefined, change: () => void): void {
  const before = row?.getBoundingClientRect().top ?? 0
  flushSync(change)
  const distance = before - (row?.getBoundingClientRect().top ?? 0)
  if (distance === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  row?.animate([{translate: `0 ${distance}px`}, {translate: 'none'}], {duration: 150, easing: 'ease-out'})
}

/**
 * Dragging of the waiting questions by their grips, with a mouse, a pen or a finger. `onMove` gets the key of a
 * question and its new position. Escape puts the row back, and so does a list that changes meanwhile: its first
 * question may be sent.
 */
export function useQuestionDrag(
  list: RefObject<HTMLElement | null>,
  followUps: FollowUpsActor,
  onMove: (key: string, to: number) => void,
) {
  const [{context}, send] = useActor(questionDragMachine)
  const {drag} = context
  const pointer = useRef(0)
  const key = drag?.key
  const rowAt = (at: number | undefined) => (at === undefined ? undefined : list.current?.children[at])
  const cancel = () => settle(rowAt(drag?.from), () => send({type: 'drag.cancel'}))
  const drop = () => {
    if (drag === undefined) return
    settle(rowAt(drag.from), () => {
      send({type: 'row.drop'})
      if (drag.to !== drag.from) onMove(drag.key, drag.to)
    })
  }
  const follow = useEffectEvent(() => {
    if (list.current !== null) send({type: 'row.drag', y: heightIn(list.current, pointer.current)})
  })
  const putBack = useEffectEvent(cancel)
  useEffect(() => {
    if (key === undefined) return
    const listening = new AbortController()
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // it would stop the answer as well
      event.preventDefault()
      event.stopImmediatePropagation()
      putBack()
    }
    addEventListener('keydown', press, {capture: true, signal: listening.signal})
    const items = selectItems(followUps.getSnapshot())
    const changes = followUps.subscribe((snapshot) => {
      if (selectItems(snapshot) !== items) send({type: 'drag.cancel'})
    })
    const step = () => {
      const {current} = list
      const position = current?.scrollTop
      if (current) scrollAt(current, pointer.current)
      if (current?.scrollTop !== position) follow()
      frame = requestAnimationFrame(step)
    }
    let frame = requestAnimationFrame(step)
    const sizes = new ResizeObserver(() => {
      if (list.current !== null) send({type: 'rows.change', rows: rowsOf(list.current)})
      follow()
    })
    for (const row of list.current?.children ?? []) sizes.observe(row)
    return () => {
      sizes.disconnect()
      listening.abort()
      changes.unsubscribe()
      cancelAnimationFrame(frame)
    }
  }, [key, list, followUps, send])
  const gripOf = (itemKey: string, from: number) => {
    /** The pointer that lifted the row, not a second finger, whose events come to its own grip. */
    const isDragging = ({isPrimary}: PointerEvent) => isPrimary && key === itemKey
    return {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (!event.isPrimary || event.button !== 0 || list.current === null) return
        // no selection of text, and the focus stays where it is
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        pointer.current = event.clientY
        const y = heightIn(list.current, event.clientY)
        send({type: 'row.lift', key: itemKey, from, rows: rowsOf(list.current), y})
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (!isDragging(event) || list.current === null) return
        pointer.current = event.clientY
        send({type: 'row.drag', y: heightIn(list.current, event.clientY)})
      },
      onPointerUp: (event: PointerEvent<HTMLElement>) => {
        if (isDragging(event)) drop()
      },
      onPointerCancel: (event: PointerEvent<HTMLElement>) => {
        if (isDragging(event)) cancel()
      },
    }
  }
  const rowOf = (at: number): {style?: CSSProperties; 'data-lifted'?: true} => {
    if (drag === undefined) return {}
    const shift = shiftOf(drag, at)
    return {
      ...(shift !== 0 && {style: {translate: `0 ${shift}px`}}),
      ...(at === drag.from && {'data-lifted': true}),
    }
  }
  return {isLifted: drag !== undefined, gripOf, rowOf}
}
