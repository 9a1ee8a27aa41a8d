import {describe, expect, test} from 'vitest'
import {chordOf} from '#browser/key-chord.ts'

type Modifier = 'ctrl' | 'alt' | 'shift' | 'meta'
type Row = [keys: string, held: Modifier[], key: string, code: string, chord: string]

const chordFor = (held: Modifier[], key: string, code: string, onApple: boolean) =>
  chordOf(
    {
      key,
      code,
      ctrlKey: held.includes('ctrl'),
      altKey: held.includes('alt'),
      shiftKey: held.includes('shift'),
      metaKey: held.includes('meta'),
    },
    onApple,
  )

describe('the keys of a press on Windows and Linux', () => {
  test.each<Row>([
    ['Ctrl+K', ['ctrl'], 'k', 'KeyK', 'Mod+K'],
    ['Ctrl+K with the capitals locked', ['ctrl'], 'K', 'KeyK', 'Mod+K'],
    ['Ctrl+Shift+O', ['ctrl', 'shift'], 'O', 'KeyO', 'Mod+Shift+O'],
    ['Ctrl+Alt+K', ['ctrl', 'alt'], 'k', 'KeyK', 'Mod+Alt+K'],
    ['Alt+K', ['alt'], 'k', 'KeyK', 'Alt+K'],
    ['F2', [], 'F2', 'F2', 'F2'],
    ['Shift+F8', ['shift'], 'F8', 'F8', 'Shift+F8'],
    ['Windows+K', ['meta'], 'k', 'KeyK', 'Meta+K'],
    ['?', ['shift'], '?', 'Slash', '?'],
    ['Ctrl+/', ['ctrl'], '/', 'Slash', 'Mod+/'],
    ['Ctrl+\\', ['ctrl'], '\\', 'Backslash', 'Mod+\\'],
    ['Ctrl+4', ['ctrl'], '4', 'Digit4', 'Mod+4'],
    ['Ctrl+Shift+4', ['ctrl', 'shift'], '$', 'Digit4', 'Mod+$'],
    ['Ctrl+4 of the block of numbers', ['ctrl'], '4', 'Numpad4', 'Mod+4'],
    ['Alt+Space', ['alt'], ' ', 'Space', 'Alt+Space'],
    ['Dvorak: Ctrl+K', ['ctrl'], 'k', 'KeyV', 'Mod+K'],
    ['Dvorak: Ctrl+S', ['ctrl'], 's', 'Semicolon', 'Mod+S'],
    ['German: Ctrl+/', ['ctrl', 'shift'], '/', 'Digit7', 'Mod+/'],
    ['German: Ctrl+# in the place of \\', ['ctrl'], '#', 'Backslash', 'Mod+\\'],
    ['German: Ctrl+Ö', ['ctrl'], 'ö', 'Semicolon', 'Mod+Ö'],
    ['German: Ctrl+Shift+Ö', ['ctrl', 'shift'], 'Ö', 'Semicolon', 'Mod+Shift+Ö'],
    ['German: Ctrl+^, a dead key', ['ctrl'], 'Dead', 'Backquote', 'Mod+Backquote'],
    ['German: Alt+´, another', ['alt'], 'Dead', 'Equal', 'Alt+Equal'],
    ['German: Shift and a dead key', ['shift'], 'Dead', 'Equal', 'Shift+Dead'],
    ['German: a dead key alone', [], 'Dead', 'Backquote', 'Dead'],
    ['AZERTY: Ctrl+A', ['ctrl'], 'a', 'KeyQ', 'Mod+A'],
    ['AZERTY: Alt+Q', ['alt'], 'q', 'KeyA', 'Alt+Q'],
    ['AZERTY: Ctrl+M', ['ctrl'], 'm', 'Semicolon', 'Mod+M'],
    ['AZERTY: Ctrl+1 without Shift', ['ctrl'], '&', 'Digit1', 'Mod+1'],
    ['AZERTY: Ctrl+Alt+2 without Shift', ['ctrl', 'alt'], 'é', 'Digit2', 'Mod+Alt+2'],
    ['AZERTY: Alt+0 without Shift', ['alt'], 'à', 'Digit0', 'Alt+0'],
    ['AZERTY: Ctrl+Shift+1', ['ctrl', 'shift'], '1', 'Digit1', 'Mod+1'],
    ['AZERTY: & alone', [], '&', 'Digit1', '&'],
    ['AZERTY: Ctrl+^, a dead key', ['ctrl'], 'Dead', 'BracketLeft', 'Mod+BracketLeft'],
    ['AZERTY: ?', ['shift'], '?', 'KeyM', '?'],
    ['AZERTY: Ctrl+,', ['ctrl'], ',', 'KeyM', 'Mod+,'],
    ['Hebrew: /', [], '/', 'KeyQ', '/'],
    ['Cyrillic: Ctrl+K', ['ctrl'], 'л', 'KeyK', 'Mod+K'],
    ['Cyrillic: Ctrl+Shift+O', ['ctrl', 'shift'], 'Щ', 'KeyO', 'Mod+Shift+O'],
    ['Cyrillic: Alt+K', ['alt'], 'л', 'KeyK', 'Alt+K'],
    ['Cyrillic: Ctrl+Alt+K', ['ctrl', 'alt'], 'л', 'KeyK', 'Mod+Alt+K'],
    ['Cyrillic: Ctrl+Ж', ['ctrl'], 'ж', 'Semicolon', 'Mod+Ж'],
    ['Cyrillic: Ctrl+Shift+Ж', ['ctrl', 'shift'], 'Ж', 'Semicolon', 'Mod+Shift+Ж'],
    ['Cyrillic: Ctrl+\\', ['ctrl'], '\\', 'Backslash', 'Mod+\\'],
    ['Greek: Ctrl+K', ['ctrl'], 'κ', 'KeyK', 'Mod+K'],
    ['Greek: Alt+Shift+E', ['alt', 'shift'], 'Ε', 'KeyE', 'Alt+Shift+E'],
    ['Greek: Ctrl+; in the place of Q', ['ctrl'], ';', 'KeyQ', 'Mod+;'],
    ['Greek: Ctrl and the dead accent', ['ctrl'], 'Dead', 'Semicolon', 'Mod+Semicolon'],
    ['Greek: ?', ['shift'], '?', 'Slash', '?'],
  ])('%s', (_keys, held, key, code, chord) => expect(chordFor(held, key, code, false)).toBe(chord))
})

describe('the keys of a press on Apple’s systems', () => {
  test.each<Row>([
    ['⌘K', ['meta'], 'k', 'KeyK', 'Mod+K'],
    ['⌘⇧O', ['meta', 'shift'], 'o', 'KeyO', 'Mod+Shift+O'],
    ['⌃K', ['ctrl'], 'k', 'KeyK', 'Control+K'],
    ['⌥K', ['alt'], '˚', 'KeyK', 'Alt+K'],
    ['⌥E, a dead key', ['alt'], 'Dead', 'KeyE', 'Alt+E'],
    ['⌥U, another', ['alt'], 'Dead', 'KeyU', 'Alt+U'],
    ['⌘⌥N, another', ['meta', 'alt'], 'Dead', 'KeyN', 'Mod+Alt+N'],
    ['⌥⇧E', ['alt', 'shift'], '´', 'KeyE', 'Alt+Shift+E'],
    ['⌥`, a dead key without a letter', ['alt'], 'Dead', 'Backquote', 'Alt+Backquote'],
    ['⌥1', ['alt'], '¡', 'Digit1', 'Alt+1'],
    ['⌥⇧1', ['alt', 'shift'], '⁄', 'Digit1', 'Alt+Shift+1'],
    ['⌥/', ['alt'], '÷', 'Slash', 'Alt+Slash'],
    ['⌥⇧/', ['alt', 'shift'], '¿', 'Slash', 'Alt+Shift+Slash'],
    ['⌥ and the space bar', ['alt'], '\u00a0', 'Space', 'Alt+Space'],
    ['⌥F8', ['alt'], 'F8', 'F8', 'Alt+F8'],
    ['⌥↑', ['alt'], 'ArrowUp', 'ArrowUp', 'Alt+ArrowUp'],
    ['⌘⌥\\', ['meta', 'alt'], '«', 'Backslash', 'Mod+Alt+\\'],
    ['German: ⌘/', ['meta', 'shift'], '/', 'Digit7', 'Mod+/'],
    ['German: ⌥L, which types @', ['alt'], '@', 'KeyL', 'Alt+L'],
    ['German: ⌥5, which types [', ['alt'], '[', 'Digit5', 'Alt+5'],
    ['AZERTY: ⌘A', ['meta'], 'a', 'KeyQ', 'Mod+A'],
    ['AZERTY: ⌥E', ['alt'], 'ê', 'KeyE', 'Alt+E'],
    ['AZERTY: ⌘⌥1', ['meta', 'alt'], '´', 'Digit1', 'Mod+Alt+1'],
    ['Cyrillic: ⌥E', ['alt'], '‘', 'KeyE', 'Alt+E'],
    ['Cyrillic: ⌘K', ['meta'], 'л', 'KeyK', 'Mod+K'],
    ['Greek: ⌥E, a dead key', ['alt'], 'Dead', 'KeyE', 'Alt+E'],
    ['Greek: ⌘; in the place of Q', ['meta'], ';', 'KeyQ', 'Mod+;'],
  ])('%s', (_keys, held, key, code, chord) => expect(chordFor(held, key, code, true)).toBe(chord))
})
