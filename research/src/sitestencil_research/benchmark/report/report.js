const select = document.querySelector("#detector");
const large = document.querySelector("#large");

function show(number) {
  for (const part of document.querySelectorAll("[data-detector]")) {
    part.classList.toggle("shown", part.dataset.detector === number);
  }
}

if (select && large) {
  select.addEventListener("change", () => show(select.value));
  show(select.value);
  for (const page of document.querySelectorAll(".gallery .page")) {
    page.addEventListener("click", () => {
      const copy = page.cloneNode(true);
      copy.ariaLabel = "Close";
      large.replaceChildren(copy);
      large.showModal();
    });
  }
  large.addEventListener("click", () => large.close());
}
