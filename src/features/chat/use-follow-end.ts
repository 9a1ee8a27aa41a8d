import {useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject} from 'react'
import {chordOf} from '#browser/key-chord.ts'

/** The user types into the editor of a sent message, which stays where it is. */
const isEditing = (scroller: HTMLElement): boolean => {
  const editor = document.activeElement?.closest('form') ?? null
  return editor !== null && scroller.contains(editor)
}

/** Within this distance of the end (in CSS pixels) the view counts as at the end (design §10). */
const nearEnd = 80
const upwardKeys = new Set(['PageUp', 'Home', 'ArrowUp'])

/** Says whether the end is followed now. */
type Following = () => boolean
const always: Following = () => true
const never: Following = () => false

export type FollowEnd = {
  /** The end of the text is out of sight: shows the button that jumps there. */
  isAway: boolean
  jump: () => void
  /** Stops following: the view goes elsewhere. */
  release: () => void
}

/**
 * Keeps the end of a growing content in view until the user scrolls away. Wheel, touch, keys, the scroll bar, a text
 * selection, a text that is unfolded and keyboard focus of something above stop following at once; returning to the end
 * resumes it. An editor stops it while it has the focus, and one that gets files until it goes; versions that are paged
 * through, as long as other messages follow them. The end of an answer moves nothing. `reserving`: class of a row that
 * may end with empty space, which nobody needs to see.
 */
export function useFollowEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
  reserving: string,
): FollowEnd {
  const following = useRef(always)
  const [isAway, setIsAway] = useState(false)

  const jump = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    following.current = always
    element.scrollTop = element.scrollHeight
    setIsAway(false)
  }, [scroller])

  const release = useCallback(() => {
    following.current = never
  }, [])

  useLayoutEffect(() => {
    const element = scroller.current
    const inner = content.current
    if (element === null || inner === null) return
    const isFollowing = () => following.current() && !isEditing(element)
    let height = element.scrollHeight
    const toEnd = () => {
      height = element.scrollHeight
      if (isFollowing()) element.scrollTop = element.scrollHeight
      else setIsAway(isTextBelow(element, reserving))
    }
    toEnd()
    const resizes = new ResizeObserver(toEnd)
    resizes.observe(inner)
    resizes.observe(element)
    // Text is followed before its frame: the scroll event then belongs to that frame, and asks for no second one.
    const growth = new MutationObserver(() => {
      if (isFollowing() && element.scrollHeight !== height) toEnd()
    })
    growth.observe(inner, {childList: true, characterData: true, subtree: true})
    return () => {
      resizes.disconnect()
      growth.disconnect()
    }
  }, [scroller, content, reserving])

  useEffect(() => {
    const element = scroller.current
    return element === null
      ? undefined
      : watchScrolling(element, following, () => setIsAway(isTextBelow(element, reserving)))
  }, [scroller, reserving])

  return {isAway, jump, release}
}

const distanceToEnd = (element: HTMLElement): number => element.scrollHeight - element.scrollTop - element.clientHeight

/** More than the last line or two is below the view; empty space does not count. */
export function isTextBelow(element: HTMLElement, reserving: string): boolean {
  const distance = distanceToEnd(element)
  if (distance <= nearEnd) return false
  const row = element.getElementsByClassName(reserving)[0]
  const last = row?.lastElementChild
  const space = row && last ? row.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom : 0
  return distance - space > nearEnd
}

/** Whether no message follows the one that this element belongs to. */
function isInLastRow(element: Element, scroller: HTMLElement): boolean {
  const rowOf = (each: Element) => Number(each.getAttribute('data-row'))
  const row = element.closest('[data-row]')
  // a row that is kept though it is out of view stands before or after the others
  return row !== null && [...scroller.querySelectorAll('[data-row]')].every((each) => rowOf(each) <= rowOf(row))
}

/** A message that the user changes stays in view: until then the end is not followed. */
function watchUse(element: HTMLElement, following: {current: Following}, signal: AbortSignal): void {
  const wait = (condition: Following) => {
    if (following.current !== never) following.current = condition
  }
  const page = ({target}: Event) => {
    const versions = target instanceof Element ? target.closest('[data-versions]') : null
    if (versions !== null) wait(() => isInLastRow(versions, element))
  }
  const edit = ({target}: Event) => {
    const editor = target instanceof Element ? target.closest('form') : null
    if (editor !== null) wait(() => !editor.isConnected)
  }
  for (const type of ['click', 'keydown']) element.addEventListener(type, page, {signal})
  // the files that an editor gets stand above its text
  for (const type of ['change', 'drop', 'paste']) element.addEventListener(type, edit, {signal})
}

/** The part of the view that Page Up and Page Down go on by: some lines stay in sight, as where a browser does it. */
const pageShare = 0.875

/** Nothing that has the focus takes the keys: the page itself, or a message field that shows all of its text. */
const leavesPageKeys = (target: EventTarget | null): boolean =>
  target === document.body ||
  (target instanceof Element &&
    target.matches('[data-composer] textarea') &&
    target.scrollHeight <= target.clientHeight)

/** The keys go to the thread whose column the pointer is in, of several side by side; else to the first in reach. */
const isMeant = (thread: HTMLElement): boolean => {
  const threads = [...document.querySelectorAll('[role=log]')].filter((each) => each.closest('[inert]') === null)
  return thread === (threads.find((each) => each.closest('section')?.matches(':hover')) ?? threads[0])
}

/** Page Up and Page Down scroll the thread from the message field too, which has the focus when a question is sent. */
function watchPageKeys(element: HTMLElement, onUp: () => void, signal: AbortSignal): void {
  document.addEventListener(
    'keydown',
    (event) => {
      const chord = chordOf(event)
      if ((chord !== 'PageUp' && chord !== 'PageDown') || event.isComposing || event.defaultPrevented) return
      if (!leavesPageKeys(event.target) || !isMeant(element)) return
      event.preventDefault()
      const isUp = chord === 'PageUp'
      if (isUp) onUp()
      element.scrollTop += (isUp ? -pageShare : pageShare) * element.clientHeight
    },
    {signal},
  )
}

/** Stops following when the user scrolls up or selects text, resumes it at the end. @returns what ends the watch */
function watchScrolling(element: HTMLElement, following: {current: Following}, onScroll: () => void): () => void {
  let lastTop = element.scrollTop
  let touchY: number | undefined
  let onScrollBar = false
  const releaseIfLong = () => {
    if (element.scrollHeight > element.clientHeight) following.current = never
  }
  const watch = new AbortController()
  const {signal} = watch
  const passive = {passive: true, signal}
  // the question that is unfolded is what the user reads
  element.addEventListener(
    'click',
    ({target}) => {
      if (target instanceof Element && target.closest('[data-unfolds]')) following.current = never
    },
    {signal},
  )
  watchUse(element, following, signal)
  watchPageKeys(element, releaseIfLong, signal)
  element.addEventListener('wheel', ({deltaY}) => deltaY < 0 && releaseIfLong(), passive)
  element.addEventListener('touchstart', ({touches}) => (touchY = touches[0]?.clientY), passive)
  element.addEventListener(
    'touchmove',
    ({touches}) => {
      const y = touches[0]?.clientY
      if (y !== undefined && touchY !== undefined && y > touchY + 4) releaseIfLong()
    },
    passive,
  )
  element.addEventListener(
    'keydown',
    (event) => {
      const {key, shiftKey, target} = event
      if (upwardKeys.has(key) || (key === ' ' && shiftKey)) releaseIfLong()
      const isOnText = target === element || (target instanceof Element && target.matches('article, pre'))
      if (key !== 'Home' || shiftKey || event.altKey || !isOnText) return
      // rows that are measured on the way move the target of the browser's own smooth scrolling
      event.preventDefault()
      element.scrollTop = 0
    },
    {signal},
  )
  element.addEventListener(
    'focusin',
    ({target}) => {
      // a click focuses a code block whose begin is above the view
      if (!(target instanceof Element) || target === element || !target.matches(':focus-visible')) return
      const isAbove = target.getBoundingClientRect().top < element.getBoundingClientRect().top
      // browsers differ in whether they scroll to it before they say so
      if (isAbove || distanceToEnd(element) > nearEnd) releaseIfLong()
    },
    {signal},
  )
  element.addEventListener('pointerdown', ({target}) => (onScrollBar = target === element), {signal})
  document.addEventListener('pointerup', () => (onScrollBar = false), {signal})
  element.addEventListener(
    'scroll',
    () => {
      if (onScrollBar && element.scrollTop < lastTop) following.current = never
      else if (element.scrollTop > lastTop && distanceToEnd(element) <= nearEnd) following.current = always
      lastTop = element.scrollTop
      onScroll()
    },
    passive,
  )
  document.addEventListener(
    'selectionchange',
    () => {
      const selection = document.getSelection()
      if (selection !== null && !selection.isCollapsed && element.contains(selection.anchorNode)) releaseIfLong()
    },
    {signal},
  )
  return () => watch.abort()
}
