import {useEffect, useSyncExternalStore} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {openLayer} from './open-layer.ts'

const OpenLayer = lazyView(async () => (await import('../commands/layer-views.tsx')).OpenLayer)

/** The palette, the list of keys and the settings, over any page. Their code loads when one is opened. */
export function Layers() {
  const layer = useSyncExternalStore(openLayer.subscribe, openLayer.get)
  useEffect(
    () =>
      offerCommands({
        palette: () => openLayer.set('palette'),
        shortcuts: () => openLayer.set('shortcuts'),
        settings: () => openLayer.set('general'),
      }),
    [],
  )
  return layer && <OpenLayer layer={layer} />
}
