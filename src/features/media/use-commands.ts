import {useMemo} from 'react'
import {useSelector} from '@xstate/react'
import {selectApplication} from '#machines/provisioning/provisioning.selectors.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useText} from '#ui/text.tsx'
import {createActionCommands} from './action-commands.ts'
import {metaOf} from './card-facts.ts'
import {titleOf, workOf} from './card-title.ts'
import {resultMenus} from './feed/lazy-menu.tsx'
import {createFormCommands} from './form-commands.ts'
import {inputImages} from './input-thumbs.tsx'
import type {MediaCommands} from './media-commands.ts'
import {useFlowDialog, useMedia, useRenewDialog} from './media.context.ts'
import {createTargetCommands} from './target-commands.ts'
import {createTaskCommands} from './task-commands.ts'
import {useToolText} from './use-tool-text.ts'

/** The commands for the tasks of this tool. The same object while language and tool stay. */
export function useCommands(onFormShown: () => void): MediaCommands {
  const media = useMedia()
  const text = useText()
  const toolText = useToolText(media.identity.id)
  const askToRenew = useRenewDialog()
  const tellFlow = useFlowDialog()
  const applicationId = useSelector(media.actors.provisioning, (snapshot) => selectApplication(snapshot)?.id)
  return useMemo((): MediaCommands => {
    const work = (card: Card) => workOf(media, card, toolText)
    const form = createFormCommands(media, onFormShown)
    const commands: MediaCommands = {
      ...form,
      ...createActionCommands(media, {text, toolText}, form),
      ...createTargetCommands(media, text),
      ...createTaskCommands(media, {work, askToRenew}),
      tellFlow,
      addCredits: ({failure}) => media.navigation.addCredits(applicationId, failure),
      now: media.now,
      meta: (card) => metaOf(media, card, toolText, text),
      title: (card) => titleOf(media, card, toolText, text),
      work,
      inputs: (card) => inputImages(media.screen, media.formOf(card.request, card.type), toolText),
      menu: (card, index) => (index === undefined ? menus(card)?.ofCard() : menus(card)?.ofResult(index)) ?? [],
      menuOf: (card, index, own) => menus(card)?.ofResult(index, own) ?? [],
      useIn: (card, index) => menus(card)?.targets(index) ?? [],
      frameMenu: (card, video) => menus(card)?.ofFrame(video) ?? [],
      promptMenu: (card) => menus(card)?.ofPrompt() ?? [],
    }
    // what asks for a menu has loaded how they are made (lazy-menu.tsx)
    const menus = (card: Card) => resultMenus.loaded?.(card, {commands, media, text, toolText})
    return commands
  }, [media, text, toolText, applicationId, onFormShown, askToRenew, tellFlow])
}
