import {useId, useState, type KeyboardEvent, type MouseEvent} from 'react'

/** The position to which a key leads: an arrow goes round, a page stops at the end. Undefined for any other key. */
function positionFor(key: string, at: number, count: number, page: number): number | undefined {
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(count - 1, at + page)
  if (key === 'PageUp') return Math.max(0, at - page)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

const showCurrent = (option: HTMLElement | null) => option?.scrollIntoView({block: 'nearest'})
const keepFocus = (event: MouseEvent) => event.preventDefault()

/**
 * Options below a field that keeps the focus: keys and pointer reach one of them, and `aria-activedescendant` of the
 * field names it. `names`: the shown options, in their order; the reached one stays current wherever it moves to.
 */
export function useOptions(names: readonly string[], {first, page = 5}: {first?: string | undefined; page?: number}) {
  const listId = useId()
  const [lastName, reach] = useState(first)
  const at = lastName === undefined ? 0 : Math.max(0, names.indexOf(lastName))
  const current = names[at]
  const idOf = (name: string) => `${listId}-${encodeURIComponent(name)}`

  return {
    listId,
    current,
    currentId: current === undefined ? undefined : idOf(current),
    /** Undefined: the first option, as after another query. */
    reach,
    /** Whether the key was for the options. Home and End are the text's where there is one. */
    press(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>): boolean {
      const {key, currentTarget} = event
      if (names.length === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
      if ((key === 'Home' || key === 'End') && currentTarget.value !== '') return false
      const position = positionFor(key, at, names.length, page)
      if (position === undefined) return false
      event.preventDefault()
      reach(names[position])
      return true
    },
    /** The element that the field names. */
    named: (name: string) => ({id: idOf(name), ref: name === current ? showCurrent : undefined}),
    /** The element that the pointer reaches. */
    pointed: (name: string) => ({
      onMouseDown: keepFocus,
      onPointerMove: name === current ? undefined : () => reach(name),
    }),
  }
}

export type Options = ReturnType<typeof useOptions>
