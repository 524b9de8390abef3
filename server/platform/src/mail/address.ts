/** The HTML standard's pattern (input type=email): one address of ASCII characters, nothing that a header or a list could be made of. */
const ADDRESS =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

/** Is it one address that email can be sent to? At most 254 characters (RFC 5321 §4.5.3.1.3). */
export const isMailAddress = (text: string): boolean => text.length <= 254 && ADDRESS.test(text)

/** Control characters, and the separators of lines: none has a place in a header. */
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** A text for a header: on one line, and of readable length. */
export const headerText = (text: string): string => text.replaceAll(CONTROLS, ' ').trim().slice(0, 200)
