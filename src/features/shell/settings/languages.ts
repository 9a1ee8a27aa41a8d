/** The interface languages in their own names, in the specification's order (spec §9). */
export const languages = [
  {id: 'en', name: 'English', english: 'English'},
  {id: 'de', name: 'Deutsch', english: 'German'},
  {id: 'pt', name: 'Português', english: 'Portuguese'},
  {id: 'es', name: 'Español', english: 'Spanish'},
  {id: 'fr', name: 'Français', english: 'French'},
  {id: 'zh-CN', name: '简体中文', english: 'Chinese (Simplified)'},
  {id: 'zh-TW', name: '繁體中文', english: 'Chinese (Traditional)'},
  {id: 'it', name: 'Italiano', english: 'Italian'},
  {id: 'ko', name: '한국어', english: 'Korean'},
  {id: 'ja', name: '日本語', english: 'Japanese'},
  {id: 'ru', name: 'Русский', english: 'Russian'},
  {id: 'pl', name: 'Polski', english: 'Polish'},
  {id: 'fi', name: 'Suomi', english: 'Finnish'},
  {id: 'sv', name: 'Svenska', english: 'Swedish'},
  {id: 'el', name: 'Ελληνικά', english: 'Greek'},
  {id: 'uk', name: 'Українська', english: 'Ukrainian'},
  {id: 'ar', name: 'العربية', english: 'Arabic'},
  {id: 'sr', name: 'Српски', english: 'Serbian'},
] as const

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()

/** Languages whose own name, English name or tag contains the query's words. */
export function matchingLanguages(query: string) {
  const search = plain(query.trim())
  return languages.filter(({id, name, english}) => plain(`${id} ${name} ${english}`).includes(search))
}
