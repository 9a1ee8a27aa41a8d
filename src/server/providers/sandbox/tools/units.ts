import {formatNumber} from './arithmetic.ts'

type Unit = {name: string; quantity: string; factor: number; offset?: number}

/** `quantity: {unit: [factor to the base unit, …spellings]}`; exact by definition where one exists. */
const table: Record<string, Record<string, [number, ...string[]]>> = {
  length: {
    m: [1, 'metre', 'meter', 'metres', 'meters'],
    km: [1000, 'kilometre', 'kilometer', 'kilometres', 'kilometers'],
    cm: [0.01, 'centimetre', 'centimeter', 'centimetres', 'centimeters'],
    mm: [0.001, 'millimetre', 'millimeter', 'millimetres', 'millimeters'],
    in: [0.0254, 'inch', 'inches', '"'],
    ft: [0.3048, 'foot', 'feet', "'"],
    yd: [0.9144, 'yard', 'yards'],
    mi: [1609.344, 'mile', 'miles'],
    nmi: [1852, 'nautical mile', 'nautical miles'],
  },
  mass: {
    kg: [1, 'kilo', 'kilos', 'kilogram', 'kilograms'],
    g: [0.001, 'gram', 'grams'],
    mg: [0.000001, 'milligram', 'milligrams'],
    t: [1000, 'tonne', 'tonnes'],
    lb: [0.45359237, 'lbs', 'pound', 'pounds'],
    oz: [0.028349523125, 'ounce', 'ounces'],
    st: [6.35029318, 'stone', 'stones'],
  },
  volume: {
    l: [1, 'litre', 'liter', 'litres', 'liters'],
    ml: [0.001, 'millilitre', 'milliliter', 'millilitres', 'milliliters'],
    'm³': [1000, 'm3', 'cubic metre', 'cubic metres', 'cubic meter', 'cubic meters'],
    gal: [3.785411784, 'gallon', 'gallons', 'us gallon', 'us gallons'],
    pt: [0.473176473, 'pint', 'pints', 'us pint', 'us pints'],
    cup: [0.2365882365, 'cups'],
    'fl oz': [0.0295735295625, 'fluid ounce', 'fluid ounces'],
    tbsp: [0.01478676478125, 'tablespoon', 'tablespoons'],
    tsp: [0.00492892159375, 'teaspoon', 'teaspoons'],
  },
  area: {
    'm²': [1, 'm2', 'square metre', 'square metres', 'square meter', 'square meters'],
    'km²': [1_000_000, 'km2', 'square kilometre', 'square kilometres', 'square kilometer', 'square kilometers'],
    ha: [10_000, 'hectare', 'hectares'],
    acre: [4046.8564224, 'acres'],
    'ft²': [0.09290304, 'ft2', 'square foot', 'square feet'],
  },
  speed: {
    'm/s': [1, 'metres per second', 'meters per second'],
    'km/h': [1 / 3.6, 'kmh', 'kph', 'kilometres per hour', 'kilometers per hour'],
    mph: [0.44704, 'miles per hour'],
    kn: [1852 / 3600, 'knot', 'knots'],
  },
  time: {
    s: [1, 'sec', 'second', 'seconds'],
    ms: [0.001, 'millisecond', 'milliseconds'],
    min: [60, 'minute', 'minutes'],
    h: [3600, 'hr', 'hour', 'hours'],
    d: [86_400, 'day', 'days'],
    wk: [604_800, 'week', 'weeks'],
  },
  data: {
    B: [1, 'byte', 'bytes'],
    kB: [1e3, 'kilobyte', 'kilobytes'],
    MB: [1e6, 'megabyte', 'megabytes'],
    GB: [1e9, 'gigabyte', 'gigabytes'],
    TB: [1e12, 'terabyte', 'terabytes'],
    KiB: [1024, 'kibibyte', 'kibibytes'],
    MiB: [1024 ** 2, 'mebibyte', 'mebibytes'],
    GiB: [1024 ** 3, 'gibibyte', 'gibibytes'],
    TiB: [1024 ** 4, 'tebibyte', 'tebibytes'],
    bit: [0.125, 'bits'],
  },
  energy: {
    J: [1, 'joule', 'joules'],
    kJ: [1000, 'kilojoule', 'kilojoules'],
    kcal: [4184, 'calorie', 'calories', 'kilocalorie', 'kilocalories'],
    kWh: [3_600_000, 'kilowatt hour', 'kilowatt hours'],
  },
}
/** To kelvin: (value + offset) × factor. */
const temperatures: Record<string, {factor: number; offset: number; spellings: string[]}> = {
  '°C': {factor: 1, offset: 273.15, spellings: ['c', 'celsius', 'degrees celsius', 'degree celsius']},
  '°F': {factor: 5 / 9, offset: 459.67, spellings: ['f', 'fahrenheit', 'degrees fahrenheit', 'degree fahrenheit']},
  K: {factor: 1, offset: 0, spellings: ['k', 'kelvin']},
}

const exact = new Map<string, Unit>()
const spelled = new Map<string, Unit>()
for (const [quantity, entries] of Object.entries(table)) {
  for (const [name, [factor, ...spellings]] of Object.entries(entries)) {
    const unit: Unit = {name, quantity, factor}
    exact.set(name, unit)
    for (const spelling of [name.toLowerCase(), ...spellings]) if (!spelled.has(spelling)) spelled.set(spelling, unit)
  }
}
for (const [name, {factor, offset, spellings}] of Object.entries(temperatures)) {
  const unit: Unit = {name, quantity: 'temperature', factor, offset}
  exact.set(name, unit)
  for (const spelling of [name.toLowerCase(), ...spellings]) spelled.set(spelling, unit)
}

/** Case counts where it tells units apart (MB, Mb), and not otherwise. */
const findUnit = (text: string): Unit | undefined => exact.get(text) ?? spelled.get(text.toLowerCase())

const pattern =
  /^(?:(?:convert|what(?:'s| is)|how (?:much|many) is)\s+)?(-?\d[\d,]*(?:\.\d+)?)\s*([^\d\s][^?]*?)\s+(?:to|in|into|as)\s+([^?]+?)\s*\??$/i
const reversed =
  /^how many\s+([^?]+?)\s+(?:are|is)?\s*(?:there\s+)?in\s+(?:(-?\d[\d,]*(?:\.\d+)?)|an?)\s*([^\d\s?][^?]*?)\s*\??$/i

/** `5 km to miles`, `how many minutes in 3 hours`: the answer as a sentence, or `undefined` when it is no such question. */
export function convertUnits(question: string): string | undefined {
  const straight = pattern.exec(question.trim())
  const turned = reversed.exec(question.trim())
  const [amount, from, to] = straight
    ? [straight[1], straight[2], straight[3]]
    : [turned?.[2] ?? '1', turned?.[3], turned?.[1]]
  if (amount === undefined || from === undefined || to === undefined) return undefined
  const source = findUnit(from)
  const target = findUnit(to)
  if (source === undefined || target === undefined) return undefined
  const value = Number(amount.replaceAll(',', ''))
  const given = `${formatNumber(value)} ${source.name}`
  if (source.quantity !== target.quantity) {
    return `${given} is a ${source.quantity}, ${target.name} a unit of ${target.quantity}: one cannot become the other.`
  }
  const base = (value + (source.offset ?? 0)) * source.factor
  const result = base / target.factor - (target.offset ?? 0)
  return `${given} = **${formatNumber(Number(result.toPrecision(10)))} ${target.name}**`
}
