import type {ReactElement} from 'react'

/**
 * Elements of items and rows of the block that grows, by their text. What is equal in the block's next version is the
 * same element, which React does not render again: no component and no comparison of its own.
 */
export type PartCache = ReturnType<typeof createPartCache>

export function createPartCache() {
  let storedParts = new Map<string, ReactElement>()
  let usedParts = new Map<string, ReactElement>()
  let source = ''
  const clear = () => {
    storedParts = new Map()
    usedParts = storedParts
    source = ''
  }
  return {
    /** One reading of the block; elements that it did not use or that know other reference definitions are dropped. */
    read<T>(definitions: string, work: () => T): T {
      if (definitions !== source) clear()
      source = definitions
      usedParts = new Map()
      const result = work()
      storedParts = usedParts
      return result
    },
    clear,
    element(name: string, make: () => ReactElement): ReactElement {
      const element = storedParts.get(name) ?? make()
      usedParts.set(name, element)
      return element
    },
  }
}
