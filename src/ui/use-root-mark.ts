import {useLayoutEffect} from 'react'

/**
 * Sets an attribute `data-<name>` on the root while `isSet`, which CSS of other parts asks for; its value counts the
 * components that set it. `:root:has(…)` would say the same, but is evaluated anew for each word of a growing answer.
 */
export function useRootMark(name: string, isSet = true) {
  useLayoutEffect(() => {
    if (!isSet) return
    const {dataset} = document.documentElement
    const count = Number(dataset[name] ?? 0)
    dataset[name] = `${count + 1}`
    return () => {
      const rest = Number(dataset[name]) - 1
      if (rest > 0) dataset[name] = `${rest}`
      else delete dataset[name]
    }
  }, [name, isSet])
}
