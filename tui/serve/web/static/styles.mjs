// The content security policy of the page allows no inline styles. xterm.js creates <style> elements and style
// attributes. This module, which has to be loaded before it, sets them through the object model instead, which the policy
// need not allow: an element gets a constructed style sheet, an attribute becomes declarations of the element.

const createElement = document.createElement;

document.createElement = function (name, options) {
  const element = createElement.call(document, name, options);
  if (String(name).toLowerCase() === "style") {
    const sheet = new CSSStyleSheet();
    const remove = () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    Object.defineProperty(element, "textContent", { set: (text) => sheet.replaceSync(text) });
    element.remove = () => {
      remove();
      Element.prototype.remove.call(element);
    };
  }
  return element;
};

HTMLSpanElement.prototype.setAttribute = function (name, value) {
  if (name === "style") {
    this.style.cssText = value;
  } else {
    Element.prototype.setAttribute.call(this, name, value);
  }
};
