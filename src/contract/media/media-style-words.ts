/*
 * Common style words of midjourney's prompts, by kind, as many as contract/media §2.1 counts. They enter the prompt
 * unchanged, so they are not translated; only the kinds have names (`words<Kind>`). Loaded when the first kind is
 * opened. Artists on the list died more than seventy years ago.
 */

export type StyleWordKind =
  | 'styles'
  | 'lighting'
  | 'artists'
  | 'material'
  | 'camera'
  | 'emotion'
  | 'chinese'
  | 'special'

/** One list per kind, its words separated by commas. */
const listed = (words: string, before = '') =>
  words
    .trim()
    .replace(/\s+/g, ' ')
    .split(', ')
    .map((word) => `${before}${word}`)

export const styleWords: Readonly<Record<StyleWordKind, readonly string[]>> = {
  styles: listed(`
    oil painting, watercolor, ink wash, gouache, tempera, fresco, encaustic, acrylic painting, impasto, pastel
    drawing, pencil sketch, charcoal drawing, ink drawing, pen and wash, silverpoint, colored pencil, crayon
    drawing, marker sketch, chalk on slate, airbrush, woodcut, linocut, etching, engraving, lithograph, screen
    print, risograph, monotype, mezzotint, letterpress, collage, paper cut, decoupage, quilling, marbled paper,
    batik, tapestry, art nouveau, art deco, bauhaus, arts and crafts, jugendstil, de stijl, constructivism,
    suprematism, futurism, cubism, surrealism, dada, expressionism, fauvism, impressionism, post-impressionism,
    pointillism, symbolism, romanticism, realism, naturalism, rococo, baroque, mannerism, high renaissance, early
    netherlandish, gothic, romanesque, byzantine icon, illuminated manuscript, cave painting, greek vase painting,
    roman mural, egyptian relief, persian miniature, mughal miniature, ukiyo-e, sumi-e, folk art, naive art,
    outsider art, pop art, op art, minimalism, color field, abstract expressionism, hard edge, land art,
    photorealism, hyperrealism, magic realism, metaphysical art, vaporwave, synthwave, steampunk, cyberpunk,
    solarpunk, dieselpunk, biopunk, retrofuturism, mid-century modern, memphis design, psychedelic poster, travel
    poster, propaganda poster, film noir, comic book, ligne claire, manga, anime, storybook illustration, botanical
    illustration, scientific illustration, technical drawing, architectural rendering, concept art, matte painting,
    pixel art, low poly
  `),
  lighting: listed(`
    golden hour, blue hour, first light, high noon, hard noon light, overcast, soft window light, north light,
    backlit, rim light, side light, top light, under light, split light, butterfly light, rembrandt light,
    chiaroscuro, high key, low key, silhouette, candlelight, firelight, lantern light, lamplight, street lamps, neon
    glow, moonlight, starlight, aurora, lightning flash, volumetric light, light through fog, dappled shade,
    caustics, studio softbox, ring light, stage spotlight, bioluminescence
  `),
  artists: listed(
    `
    Katsushika Hokusai, Utagawa Hiroshige, Kitagawa Utamaro, Sesshū Tōyō, Ogata Kōrin, Tawaraya Sōtatsu, Claude
    Monet, Édouard Manet, Edgar Degas, Berthe Morisot, Mary Cassatt, Camille Pissarro, Alfred Sisley, Pierre-Auguste
    Renoir, Gustave Caillebotte, Vincent van Gogh, Paul Gauguin, Paul Cézanne, Georges Seurat, Paul Signac, Henri de
    Toulouse-Lautrec, Henri Rousseau, Odilon Redon, Gustave Moreau, Gustav Klimt, Egon Schiele, Alphonse Mucha,
    Aubrey Beardsley, Hilma af Klint, Edvard Munch, Vilhelm Hammershøi, Akseli Gallen-Kallela, Caspar David
    Friedrich, Philipp Otto Runge, Arnold Böcklin, Franz Marc, August Macke, Paula Modersohn-Becker, Paul Klee,
    Wassily Kandinsky, Kazimir Malevich, Ivan Aivazovsky, Isaac Levitan, Ilya Repin, Mikhail Vrubel, William Turner,
    John Constable, William Blake, Samuel Palmer, John Everett Millais, Dante Gabriel Rossetti, William Morris,
    Johannes Vermeer, Rembrandt van Rijn, Frans Hals, Judith Leyster, Jacob van Ruisdael, Pieter Bruegel the Elder,
    Hieronymus Bosch, Jan van Eyck, Peter Paul Rubens, Albrecht Dürer, Lucas Cranach, Hans Holbein, Leonardo da
    Vinci, Michelangelo, Raphael, Sandro Botticelli, Titian, Caravaggio, Artemisia Gentileschi, Giuseppe Arcimboldo,
    El Greco, Diego Velázquez, Francisco Goya, Winslow Homer
  `,
    'after ',
  ),
  material: listed(`
    brushed steel, polished brass, hammered copper, copper patina, cast iron, rusted iron, gold leaf, liquid
    mercury, anodized aluminum, pewter, glazed ceramic, porcelain, terracotta, wet clay, raw concrete, polished
    marble, slate, sandstone, obsidian, amber, pearl, opal, frosted glass, blown glass, stained glass, ice,
    weathered wood, polished walnut, bamboo, cork, birch bark, origami paper, cardboard, felt, linen, velvet, silk,
    denim, leather, wool knit
  `),
  camera: listed(`
    wide angle, ultra wide angle, telephoto, macro, fisheye, tilt-shift, anamorphic, bird’s-eye view, worm’s-eye
    view, low angle, high angle, eye level, dutch angle, over the shoulder, point of view, close-up, extreme
    close-up, medium shot, full shot, long shot, establishing shot, panorama, drone shot, long exposure, motion
    blur, freeze frame, double exposure, shallow depth of field, deep focus, bokeh, 35mm film, large format, pinhole
    camera
  `),
  emotion: listed(`
    serene, joyful, melancholic, mysterious, tense, playful, nostalgic, lonely, triumphant, tender, awestruck,
    wistful, defiant, hopeful
  `),
  chinese: listed(`
    shan shui, gongbi, xieyi, blue-and-white porcelain, celadon, cloisonné, jade carving, paper lanterns, paper-cut
    window flowers, Dunhuang mural, calligraphy strokes, silk scroll, Suzhou garden, Suzhou embroidery, shadow
    puppets, lacquerware
  `),
  special: listed(`
    knolling, cutaway drawing, exploded view, blueprint, isometric, diorama, miniature model, embroidery, mosaic,
    x-ray, cyanotype, infrared photograph, thermal image, glitch, kaleidoscope, anaglyph
  `),
}
