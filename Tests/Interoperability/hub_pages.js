// What hub_pages.py asks of a page, in its browser.
window.looked = {
  seen(element) {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility === 'visible' && !element.closest('.unseen');
  },

  // Every text that stands in too little contrast to what is behind it (WCAG 2.2, 1.4.3; 4.5 for large letters, too).
  faint(least) {
    const colour = (text) => {
      const [red, green, blue, alpha = 1] = text.match(/[\d.]+/g).map(Number);
      return { red, green, blue, alpha };
    };
    const over = (above, below) => Object.fromEntries(['red', 'green', 'blue'].map((name) =>
      [name, above[name] * above.alpha + below[name] * (1 - above.alpha)]).concat([['alpha', 1]]));
    const behind = (element) => {
      if (!element) return colour('rgb(255, 255, 255)');
      const own = colour(getComputedStyle(element).backgroundColor);
      return own.alpha === 1 ? own : over(own, behind(element.parentElement));
    };
    const light = ({ red, green, blue }) => {
      const [r, g, b] = [red, green, blue].map((part) => part / 255).map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.textContent.trim() || !this.seen(element) || element.closest('option')) continue;
      const below = behind(element);
      const [one, other] = [light(over(colour(getComputedStyle(element).color), below)), light(below)];
      const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (contrast < least) found.push(`${contrast.toFixed(2)} ${element.className} “${walker.currentNode.textContent.slice(0, 40)}”`);
    }
    return found;
  },

  // What stands beyond the side of the screen, but for what scrolls in a frame of its own.
  wide() {
    const root = document.scrollingElement;
    if (root.scrollWidth <= root.clientWidth) return [];
    const found = [...document.body.querySelectorAll('*')].filter((element) =>
      this.seen(element) && !element.closest('.scroll') && element.getBoundingClientRect().right > root.clientWidth + 0.5);
    return [`${root.scrollWidth} of ${root.clientWidth}`, ...found.map((element) => `${element.tagName}.${element.className}`).slice(0, 8)];
  },

  // What scrolls, and so takes the keyboard's focus, without a name.
  scrolls() {
    return [...document.body.querySelectorAll('*')].filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      const scrolls = (overflow, inner, outer) => ['auto', 'scroll'].includes(overflow) && inner > outer;
      return (scrolls(overflowX, element.scrollWidth, element.clientWidth) || scrolls(overflowY, element.scrollHeight, element.clientHeight))
        && this.seen(element) && !(element.tabIndex === 0 && element.getAttribute('aria-label'));
    }).map((element) => `${element.tagName}.${element.className} “${element.textContent.slice(0, 40)}”`);
  },

  // Texts that are cut off or lie over each other; a job's name may be as long as it likes, and needs room for its number.
  cut() {
    const isWall = document.documentElement.classList.contains('wall');
    const text = (element) => `${element.className} “${element.textContent.slice(0, 60)}”`;
    const seen = (names) => [...document.querySelectorAll(names)].filter((element) => this.seen(element));
    const wide = seen('.word, .next, .tag, .own, .rate, .age, .figure .value, .figure dt, .count, .state').filter((element) =>
      element.scrollWidth > element.clientWidth + 1);
    const high = seen(`.inside, .details > div, .tag, .station-name${isWall ? ', .figures, .figure, .panel' : ''}`).filter((element) =>
      element.scrollHeight > element.clientHeight + 2);
    // In a wall's figures one value must not run into the next one.
    const over = seen('.figure .value, .sum').filter((element) => isWall && element.closest('.figure, .sum').nextElementSibling
      && element.getBoundingClientRect().left + element.scrollWidth > element.closest('.figure, .sum').nextElementSibling.getBoundingClientRect().left);
    const narrow = seen('.job').filter((element) => element.textContent
      && element.clientWidth < 4.5 * parseFloat(getComputedStyle(element).fontSize));
    const low = seen('.tile *, .figures, .panel').filter((element) => isWall && element.getBoundingClientRect().bottom > innerHeight);
    return [...wide.map((element) => `wide: ${text(element)}`), ...high.map((element) => `high: ${text(element)}`),
      ...over.map((element) => `over the next: ${text(element)}`), ...narrow.map((element) => `no room: ${text(element)}`),
      ...low.map((element) => `below the screen: ${text(element)}`)];
  },

  // The least size of letters in what can be seen, in pixels.
  least() {
    return Math.min(...[...document.querySelectorAll('.tile p, .tile h3')].filter((element) => this.seen(element) && element.textContent)
      .map((element) => parseFloat(getComputedStyle(element).fontSize)));
  },

  // The height of capital letters in the words of the stations, in pixels.
  letters() {
    const canvas = document.createElement('canvas').getContext('2d');
    return [...document.querySelectorAll('.tile .letters')].map((element) => {
      const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
      canvas.font = `${fontWeight} ${fontSize} ${fontFamily}`;
      return [element.textContent, canvas.measureText('E').actualBoundingBoxAscent];
    });
  },

  // Which event each row of the newest results has shown, from now on.
  remember() {
    this.events = new Set([...document.querySelectorAll('[data-event]')].map((row) => Number(row.dataset.event)));
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
      if (node.dataset?.event) this.events.add(Number(node.dataset.event));
    }))).observe(document.querySelector('.newest tbody'), { childList: true });
  },

  // The element with the focus: its name, whether the focus shows, whether it is on the screen.
  focus() {
    const element = document.activeElement;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return {
      name: (element.textContent || element.id || element.tagName).trim().slice(0, 40), tag: element.tagName, id: element.id,
      shows: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
      inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  },
};
true;
