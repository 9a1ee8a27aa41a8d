/** The languages of the interface in their own names (spec §9), in the order of the specification. */
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

/** Languages whose own or English name or tag contains the words of the query. */
export function matchingLanguages(query: string) {
  const wanted = plain(query.trim())
  return languages.filter(({id, name, english}) => plain(`${id} ${name} ${english}`).includes(wanted))
}
