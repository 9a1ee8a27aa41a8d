import type {InspectorTarget} from './start-inspector.ts'

const key = 'atrium.inspect'

/**
 * The inspector this tab asks for: `?inspect`, `?inspect=stately`, and `?inspect=off` for none. Stored for the tab,
 * since signing in changes the address.
 */
export const chooseInspector = (
  search: string,
  memory: Pick<Storage, 'getItem' | 'setItem'>,
): InspectorTarget | undefined => {
  const asked = new URLSearchParams(search).get('inspect')
  if (asked !== null) memory.setItem(key, asked)
  const wanted = asked ?? memory.getItem(key)
  if (wanted === null || wanted === 'off') return undefined
  return wanted === 'stately' ? 'stately' : 'page'
}

/** The observer for the root actor, if this tab asks for one. Only for `import.meta.env.DEV` (docs/inspecting.md). */
export const openInspector = async () => {
  const target = chooseInspector(location.search, sessionStorage)
  if (target === undefined) return undefined
  const {startInspector} = await import('./start-inspector.ts')
  return startInspector(target)
}
