// Written by tools/subset-typeface.mjs.

/** Typefaces of the system with the widths and heights of Inter. They load nothing. */
export const fallbackTypefaceCss =
  '@font-face{font-family:"Inter Arial";src:local("Arial"),local("Liberation Sans"),local("Arimo"),local("Helvetica");size-adjust:107.11%;ascent-override:90.44%;descent-override:22.52%;line-gap-override:0%}' +
  '@font-face{font-family:"Inter Roboto";src:local("Roboto");size-adjust:107.35%;ascent-override:90.24%;descent-override:22.47%;line-gap-override:0%}'

/** Loads Inter from the front of every host; until it is there, typefaces of the system. */
export const typefaceCss =
  '@font-face{font-family:Inter;font-weight:400 700;font-display:swap;src:url(/assets/inter-latin-5121764d0286.woff2) format("woff2");unicode-range:U+20-7E,U+A0-FF,U+131,U+152-153,U+2013-2014,U+2018-201E,U+2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2190-2193,U+2212}' +
  '@font-face{font-family:Inter;font-weight:400 700;font-display:swap;src:url(/assets/inter-latin-ext-1fdf0ada5868.woff2) format("woff2");unicode-range:U+100-130,U+132-151,U+154-17F,U+218-21B,U+1E9E,U+20BA}' +
  fallbackTypefaceCss
