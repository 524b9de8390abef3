/** What plays footage. Applications load it after the first live picture, or with the first recorded one. */
export { FootagePicture, type FootagePictureProps } from './FootagePicture.tsx'
export { openFootage } from './open-footage.ts'
