import {useCallback, useEffect, useState, type RefObject} from 'react'

export type Zoom = {scale: number; x: number; y: number}
const whole: Zoom = {scale: 1, x: 0, y: 0}
const largest = 8

/** Zooms so that the point under the pointer stays where it is. `px`, `py` from the centre of the stage. */
export function zoomAt(zoom: Zoom, factor: number, px: number, py: number): Zoom {
  const scale = Math.min(largest, Math.max(1, zoom.scale * factor))
  if (scale === 1) return whole
  const ratio = scale / zoom.scale
  return {scale, x: px - (px - zoom.x) * ratio, y: py - (py - zoom.y) * ratio}
}

/** Keeps the image over the stage: it moves at most to its edges. */
const clamped = (zoom: Zoom, stage: DOMRect): Zoom => {
  const most = (size: number) => ((zoom.scale - 1) * size) / 2
  const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
  return {...zoom, x: within(zoom.x, most(stage.width)), y: within(zoom.y, most(stage.height))}
}

type Point = {x: number; y: number}
type Turns = {
  /** Zooms so that the point stays where it is. */
  by: (factor: number, point: {clientX: number; clientY: number}) => void
  pan: (dx: number, dy: number) => void
}

/**
 * Wheel, pinch and drag on the stage.
 * @returns ends it
 */
function watchPointers(stage: HTMLElement, {by, pan}: Turns): () => void {
  const heldPointers = new Map<number, Point>()
  const pinch = (before: Point, now: Point, still: Point) => {
    const distance = (point: Point) => Math.hypot(point.x - still.x, point.y - still.y)
    by(distance(now) / Math.max(1, distance(before)), {clientX: (now.x + still.x) / 2, clientY: (now.y + still.y) / 2})
  }
  const wheel = (event: WheelEvent) => {
    event.preventDefault()
    by(Math.exp(-event.deltaY / 400), event)
  }
  const down = (event: PointerEvent) => {
    if (event.target instanceof Element && event.target.closest('button, a') !== null) return
    heldPointers.set(event.pointerId, {x: event.clientX, y: event.clientY})
  }
  const move = (event: PointerEvent) => {
    const before = heldPointers.get(event.pointerId)
    if (before === undefined) return
    const now = {x: event.clientX, y: event.clientY}
    const [other] = [...heldPointers].filter(([id]) => id !== event.pointerId)
    if (other === undefined) pan(now.x - before.x, now.y - before.y)
    else pinch(before, now, other[1])
    heldPointers.set(event.pointerId, now)
  }
  const up = (event: PointerEvent) => void heldPointers.delete(event.pointerId)
  const listening = new AbortController()
  const {signal} = listening
  // not passive: a wheel here zooms and must not scroll
  stage.addEventListener('wheel', wheel, {passive: false, signal})
  stage.addEventListener('pointerdown', down, {signal})
  stage.addEventListener('pointermove', move, {signal})
  for (const end of ['pointerup', 'pointercancel', 'pointerleave'] as const) stage.addEventListener(end, up, {signal})
  return () => listening.abort()
}

/**
 * Zoom and pan of an image: wheel, pinch, drag, double press, and buttons for who has none of these. Returns to the
 * whole image when another one shows (`key`).
 */
export function useZoom(stage: RefObject<HTMLElement | null>, key: string) {
  const [zoom, setZoom] = useState(whole)
  const [lastKey, setLastKey] = useState(key)
  if (lastKey !== key) {
    setLastKey(key)
    setZoom(whole)
  }
  const by = useCallback(
    (factor: number, point?: {clientX: number; clientY: number}) => {
      const box = stage.current?.getBoundingClientRect()
      if (box === undefined) return
      const px = point === undefined ? 0 : point.clientX - box.left - box.width / 2
      const py = point === undefined ? 0 : point.clientY - box.top - box.height / 2
      setZoom((now) => clamped(zoomAt(now, factor, px, py), box))
    },
    [stage],
  )
  const reset = useCallback(() => setZoom(whole), [])
  useEffect(() => {
    const element = stage.current
    if (element === null) return
    const pan = (dx: number, dy: number) => {
      const box = element.getBoundingClientRect()
      setZoom((now) => (now.scale === 1 ? now : clamped({...now, x: now.x + dx, y: now.y + dy}, box)))
    }
    return watchPointers(element, {by, pan})
  }, [stage, by])
  return {zoom, by, reset}
}
