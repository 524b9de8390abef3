export { linkLetter, newEmailLetter } from './letter.ts'
export { addLimited, TooManyMails } from './limited.ts'
