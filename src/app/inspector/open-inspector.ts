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
  const parameter = new URLSearchParams(search).get('inspect')
  if (parameter !== null) memory.setItem(key, parameter)
  const choice = parameter ?? memory.getItem(key)
  if (choice === null || choice === 'off') return undefined
  return choice === 'stately' ? 'stately' : 'page'
}

/** The observer for the root actor, if this tab asks for one. Only for `import.meta.env.DEV` (docs/inspecting.md). */
export const openInspector = async () => {
  const target = chooseInspector(location.search, sessionStorage)
  if (target === undefined) return undefined
  const {startInspector} = await import('./start-inspector.ts')
  return startInspector(target)
}
