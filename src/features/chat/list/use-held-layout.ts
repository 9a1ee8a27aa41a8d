import {useState, type FocusEvent} from 'react'

/**
 * Whether only the rows near the viewport are rendered. A list that becomes long, or short, keeps its elements while
 * the focus is in it: the other layout has its own, and what is being typed into a title would go.
 */
export function useHeldLayout(isLong: boolean) {
  const [heldLayout, setHeldLayout] = useState<boolean>()
  const isWindowed = heldLayout ?? isLong
  return {
    isWindowed,
    listeners: {
      onFocus: () => setHeldLayout(isWindowed),
      onBlur: ({currentTarget, relatedTarget}: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) setHeldLayout(undefined)
      },
    },
  }
}
