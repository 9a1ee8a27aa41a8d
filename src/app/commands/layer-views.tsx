import {use} from 'react'
import {KeyList} from '#features/shell/commands/key-list.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {openLayer, type Layer} from '../shell/open-layer.ts'
import {useKeyList} from './command-keys.ts'
import {PaletteZone} from './palette-zone.tsx'
import {Settings} from './settings.tsx'

const close = () => openLayer.set(undefined)

let words: Promise<unknown> | undefined

/** What is open over the page, once its messages are loaded. */
export function OpenLayer({layer}: {layer: Layer}) {
  const {prepareWords, chat} = useAppInfo()
  // the commands of a thread have their names there
  words ??= Promise.all([prepareWords('commands'), chat.threadWords()])
  use(words)
  if (layer === 'palette') return <PaletteZone onClose={close} />
  if (layer === 'shortcuts') return <ShortcutSheet />
  return <Settings tab={layer} onClose={close} />
}

function ShortcutSheet() {
  const text = useText()
  return (
    <Dialog open title={text('index.shortcutSheet')} width={520} onClose={close}>
      <KeyList {...useKeyList()} />
    </Dialog>
  )
}
