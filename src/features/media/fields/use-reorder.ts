import {useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent} from 'react'

/** Pixels that a pointer moves before a press becomes a drag. */
const dragDistance = 4

type Drag = {id: string; x: number; y: number; target: number}

type ReorderOptions = {ids: readonly string[]; onMove: (id: string, position: number) => void}

const holdsPoint = ({left, right, top, bottom}: DOMRect, x: number, y: number) =>
  x >= left && x <= right && y >= top && y <= bottom

/** How many positions an arrow key moves an item; rows are read in the direction of writing. */
function stepOf(key: string, isRightToLeft: boolean): number {
  switch (key) {
    case 'ArrowUp':
      return -1
    case 'ArrowDown':
      return 1
    case 'ArrowLeft':
      return isRightToLeft ? 1 : -1
    case 'ArrowRight':
      return isRightToLeft ? -1 : 1
    default:
      return 0
  }
}

/**
 * Items that change positions by pointer, touch, arrow keys, or a press on their handle. The elements of the items are
 * the siblings with `data-item`. An item is moved when the pointer is released: moving its element earlier would end
 * the capture of the pointer.
 */
export function useReorder({ids, onMove}: ReorderOptions) {
  const [drag, setDrag] = useState<Drag>()
  /** The drag of the last event: a pointer may be released before the last move is drawn. */
  const latest = useRef<Drag>(undefined)
  const start = useRef<{id: string; pointer: number; x: number; y: number}>(undefined)
  const wasDragged = useRef(false)
  const move = (id: string, position: number) => {
    if (position >= 0 && position < ids.length && position !== ids.indexOf(id)) onMove(id, position)
  }
  const end = () => {
    start.current = undefined
    latest.current = undefined
    setDrag(undefined)
  }
  const itemUnder = (element: Element, x: number, y: number) =>
    [...(element.parentElement?.querySelectorAll(':scope > [data-item]') ?? [])].findIndex(
      (item) => item !== element && holdsPoint(item.getBoundingClientRect(), x, y),
    )

  /** A finger on the item itself scrolls the page; on the handle it drags. */
  const itemProps = (id: string) => ({
    'data-item': id,
    'data-target': drag !== undefined && drag.id !== id && drag.target === ids.indexOf(id) ? '' : undefined,
    'data-dragged': drag?.id === id ? '' : undefined,
    style: drag?.id === id ? ({translate: `${drag.x}px ${drag.y}px`} satisfies CSSProperties) : undefined,
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      wasDragged.current = false
      if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return
      const button = event.target.closest('button')
      const isOnHandle = button?.matches('[data-handle]') === true
      if (!isOnHandle && (button !== null || event.pointerType === 'touch')) return
      start.current = {id, pointer: event.pointerId, x: event.clientX, y: event.clientY}
      // the element pressed keeps the pointer, so that its own click still reaches it
      event.target.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = start.current
      if (from?.pointer !== event.pointerId) return
      const [x, y] = [event.clientX - from.x, event.clientY - from.y]
      if (latest.current === undefined && Math.hypot(x, y) < dragDistance) return
      wasDragged.current = true
      latest.current = {id, x, y, target: itemUnder(event.currentTarget, event.clientX, event.clientY)}
      setDrag(latest.current)
    },
    onPointerUp: () => {
      const currentDrag = latest.current
      end()
      if (currentDrag !== undefined) move(currentDrag.id, currentDrag.target)
    },
    onPointerCancel: end,
  })

  const handleProps = (id: string) => ({
    'data-handle': '',
    onKeyDown: (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (event.key === 'Escape' && drag !== undefined) return end()
      const step = stepOf(event.key, getComputedStyle(event.currentTarget).direction === 'rtl')
      if (step === 0) return
      event.preventDefault()
      move(id, ids.indexOf(id) + step)
    },
    /** Without dragging: one position on, from the last to the first. */
    onClick: () => {
      if (!wasDragged.current) move(id, (ids.indexOf(id) + 1) % ids.length)
    },
  })
  return {itemProps, handleProps}
}
