import {usedCommands} from './remembered-value.ts'

const most = 12

/**
 * Pages, tools, settings, models and actions; conversations and tasks by the id that the server gave them, whose names
 * are those of the list. What a part of the page offers has words of the user.
 */
const lasting =
  /^(?:(?:page|tool|history|settings|theme|language|model)\/\S+|(?:chat|task\/[\w-]+)\/[\w-]{8,128}|(?!signOut$)\w+)$/

/** Ids of the commands that were run last, the last one first. */
export const recentCommands = () => usedCommands.get().filter((id) => lasting.test(id))

export function rememberCommand(id: string) {
  if (!lasting.test(id)) return
  usedCommands.set([id, ...recentCommands().filter((other) => other !== id)].slice(0, most))
}
