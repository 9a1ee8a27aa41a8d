import {useRef, type HTMLAttributes, type KeyboardEvent, type PointerEvent} from 'react'
import type {ChooseBy} from './use-selection.ts'

/** Milliseconds after which a finger that rests on a card chooses it, and how far it may slip. */
const holdTime = 500
const holdSlip = 10

type Pick = {
  /** Every press on the card chooses it. */
  isSelecting: boolean
  choose: (by: ChooseBy) => void
}

/** How a card is chosen: with Ctrl, ⌘ or Shift, by a resting finger, and by any press once something is chosen. */
export function usePick({isSelecting, choose}: Pick): Partial<HTMLAttributes<HTMLElement>> {
  const hold = useRef<{timer: ReturnType<typeof setTimeout>; x: number; y: number}>(undefined)
  const wasHeld = useRef(false)
  const release = () => {
    clearTimeout(hold.current?.timer)
    hold.current = undefined
  }
  const press = (event: PointerEvent<HTMLElement>) => {
    wasHeld.current = false
    if (event.pointerType !== 'touch' || isSelecting || !isOn(event)) return
    release()
    const timer = setTimeout(() => {
      hold.current = undefined
      wasHeld.current = true
      choose('one')
    }, holdTime)
    hold.current = {timer, x: event.clientX, y: event.clientY}
  }
  return {
    onPointerDown: press,
    onPointerMove: ({clientX, clientY}) => {
      const at = hold.current
      if (at !== undefined && Math.hypot(clientX - at.x, clientY - at.y) > holdSlip) release()
    },
    onPointerUp: release,
    onPointerCancel: release,
    onContextMenu: (event) => {
      // a finger that rests is meant for the card, not for a menu of the browser
      if (hold.current !== undefined || wasHeld.current) event.preventDefault()
    },
    onMouseDown: (event) => {
      // with Shift the browser would mark text up to here
      if (isSelecting || event.shiftKey) event.preventDefault()
    },
    onClickCapture: (event) => {
      if (!isOn(event)) return
      const isRange = event.shiftKey
      if (!wasHeld.current && !isSelecting && !isRange && !event.ctrlKey && !event.metaKey) return
      // a link opens in a new tab
      if (!isSelecting && event.target instanceof Element && event.target.closest('a') !== null) return
      event.preventDefault()
      event.stopPropagation()
      if (!wasHeld.current) choose(isRange ? 'range' : 'one')
      wasHeld.current = false
    },
  }
}

/**
 * A key on a card that has the focus: X chooses the card, and while several are being chosen so do Space and Enter.
 * @returns whether the key means nothing else: while several are being chosen no other key works on a card
 */
export function pickByKey(event: KeyboardEvent<HTMLElement>, {isSelecting, choose}: Pick): boolean {
  const key = event.key.toLowerCase()
  const isPick = key === 'x' || (isSelecting && (key === ' ' || key === 'enter'))
  if (isPick) {
    event.preventDefault()
    choose(event.shiftKey ? 'range' : 'one')
  }
  return isPick || isSelecting
}

/** A menu of a card is drawn elsewhere, and a press in it is no press on the card. */
const isOn = ({currentTarget, target}: {currentTarget: EventTarget & HTMLElement; target: EventTarget}) =>
  target instanceof Node && currentTarget.contains(target)
