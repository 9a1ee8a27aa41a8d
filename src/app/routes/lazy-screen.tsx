import type {ComponentType} from 'react'
import {loadPart} from '#ui/load-part.ts'

/**
 * A screen that the router loads before it shows it. A failed download is the error of its route, and the next visit
 * loads it anew: the router's own `lazyRouteComponent` would load the page again, in the middle of an answer.
 */
export function lazyScreen(load: () => Promise<ComponentType>) {
  let View: ComponentType | undefined
  const preload = async () => {
    View ??= await loadPart(load)
  }
  return Object.assign(() => View && <View />, {preload})
}
