import { Categories } from '../features/channels/Categories'
import { PopularChannels } from '../features/channels/PopularChannels'
import { Join } from '../features/waitlist/Join'
import { Footer } from '../features/welcome/Footer'
import { Latest } from '../features/welcome/Latest'
import { Publishing } from '../features/welcome/Publishing'

/** The lower part of the first screen, out of sight at first and therefore loaded later. */
export default function Below() {
  return (
    <>
      <Latest />
      <Categories />
      <PopularChannels />
      <Join />
      <Publishing />
      <Footer />
    </>
  )
}
