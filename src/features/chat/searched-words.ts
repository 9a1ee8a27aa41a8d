import {createValueStore} from '#browser/value-store.ts'

/** A hit that was followed: the words of the search and the message that has them, until its thread shows it. */
export type SearchedWords = {conversation: string; anchor: string; query: string}

export const searchedWords = createValueStore<SearchedWords | undefined>(undefined)
