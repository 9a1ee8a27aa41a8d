import {shallowEqual, useSelector} from '@xstate/react'
import {useState} from 'react'
import {selectForm, selectShownFaults, selectShowsFailedUpload} from '#machines/generation/generation.selectors.ts'
import {useText} from '#ui/text.tsx'
import {shownFields} from './any-tool.ts'
import {addFiles} from './add-files.ts'
import {textOf} from './fields/field-props.ts'
import {useMedia} from './media.context.ts'
import {PhoneDock} from './phone-dock.tsx'
import {prepareRequest} from './prepare-request.ts'
import {settingsLine} from './settings-line.ts'
import {describeText, SettingsPanel, useGenerate} from './settings-panel.tsx'
import {useToolText} from './use-tool-text.ts'

/** The prompt and Generate of the tool where there is no room for its panel. A form that cannot be sent opens. */
export function Dock({isSmall}: {isSmall: boolean}) {
  const media = useMedia()
  const text = useText()
  const toolText = useToolText(media.identity.id)
  const {generation} = media.actors
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  const close = () => setOpen(false)
  const generate = useGenerate({onRefused: open})
  const form = useSelector(generation, selectForm)
  // a tool without a prompt is asked for its first choice
  const mainFields = shownFields(media.screen, form, 'main')
  const [first] = mainFields
  // the text that stands for the form where there is little room
  const field = mainFields.find(({kind}) => kind === 'prompt' || kind === 'lyrics')
  const prompt = field === undefined ? '' : textOf(form[field.key])
  const taker = mainFields.find((shownField) => shownField.kind === 'files' && shownField.medium !== 'text')
  const [fault] = useSelector(generation, selectShownFaults, shallowEqual)
  const hasFailedUpload = useSelector(generation, selectShowsFailedUpload)
  return (
    <PhoneDock
      {...generate}
      prompt={prompt}
      placeholder={
        field === undefined && first !== undefined ? toolText(first.label) : text(describeText[media.identity.group])
      }
      line={settingsLine(media.screen, form, toolText)}
      isSmall={isSmall}
      fault={
        fault !== undefined
          ? toolText(fault.message, fault.values)
          : hasFailedUpload
            ? text('common.mediaUploadFailed')
            : undefined
      }
      isOpen={isOpen}
      add={
        taker?.kind !== 'files'
          ? undefined
          : {
              label: toolText(taker.label),
              types: taker.types,
              isMany: taker.most > 1,
              onAdd: (newFiles) => {
                addFiles(media, taker, newFiles)
                open()
              },
            }
      }
      onNear={() => prepareRequest(media.screen, taker === undefined ? undefined : media.files)}
      onOpen={open}
      onClose={close}
    >
      <SettingsPanel onSent={close} />
    </PhoneDock>
  )
}
